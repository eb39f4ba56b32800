#pragma once
// Turns a tensor's values from one form of storage into another, row by row.

#include <memory>
#include <span>
#include <vector>

#include "base/aligned_buffer.h"
#include "formats/model_sink.h"
#include "runtime/convert/storage_form.h"
#include "runtime/convert/tensor_output.h"

namespace quintet {

class TensorEncoder final : public TensorSink {
 public:
  // `tensor` has the name and shape; the source's bytes come in `from`, whose scales, if it has any, stay the caller's.
  // Requires decodable types, and a matrix where either form is scaled.
  TensorEncoder(const TensorInfo& tensor, StorageForm from, std::span<const float> scales, StorageForm to,
                TensorOutput& out);

  Status write(Bytes bytes) override;
  // With a scaled target, the scales follow as a tensor of their own.
  Status finish() override;

  // The tensor as it is written, without its scales; and those.
  static TensorInfo stored(const TensorInfo& tensor, StorageForm form);
  static TensorInfo stored_scales(const TensorInfo& tensor, StorageForm form);

 private:
  Status encode_unit(Bytes unit);
  Status quantize_row();

  TensorInfo tensor_;
  StorageForm from_, to_;
  std::span<const float> scales_;
  TensorOutput& out_;
  bool begun_ = false;
  size_t unit_ = 0;   // values that are converted at once: a row where one side is scaled
  uint64_t left_ = 0; // values that are still to come
  size_t rows_done_ = 0;
  std::vector<std::byte> partial_;  // the beginning of a unit that a chunk's end cut
  std::vector<float> values_;
  std::vector<std::byte> encoded_;
  std::vector<int8_t> quantized_;
  AlignedBuffer<float> new_scales_;
};

}  // namespace quintet
