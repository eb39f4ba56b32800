#pragma once
// A conversion whose source has been described: it requests the ranges of the source that it needs, one after another,
// and produces output while they arrive.

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "formats/model_files.h"
#include "runtime/convert/plan.h"
#include "runtime/convert/source_model.h"

namespace quintet {

struct ConvertProgress {
  std::string tensor;  // being written
  size_t done = 0;     // tensors started before it
  size_t total = 0;    // 0 while unknown
};

// The file that a conversion writes.
class ModelOutput {
 public:
  // The head of the file. Fills in the positions of the tensors, as far as they are known in advance.
  Status begin(Format format, ModelDescription& description);
  // The tensor whose payload comes next.
  Status begin_tensor(const TensorInfo& info);
  Status write(Bytes payload) { return writer_->write(payload, ready_); }
  Status finish();

  // Bytes of the file that are ready.
  std::vector<std::byte> take() { return std::exchange(ready_, {}); }
  const ConvertProgress& progress() const { return progress_; }

 private:
  std::unique_ptr<ModelWriter> writer_;
  std::vector<std::byte> ready_;
  ConvertProgress progress_;
  size_t begun_ = 0;
};

class Conversion {
 public:
  virtual ~Conversion() = default;
  // The head of the output.
  virtual Status begin() = 0;
  // The range to feed next; nothing when everything was fed.
  virtual Result<std::optional<Range>> next_range() = 0;
  // The next bytes of that range, in pieces of any size.
  virtual Status feed(Bytes piece) = 0;
  virtual Status finish() = 0;

  // For static quantization, after all ranges: images of 3 channels, normalized, of a size that the network accepts.
  virtual bool wants_calibration() const { return false; }
  virtual uint32_t input_size() const { return 0; }
  virtual Status calibrate(std::span<const float> image, uint32_t height, uint32_t width);

  // The output must outlive this.
  static Result<std::unique_ptr<Conversion>> create(const SourceModel& source, const ConvertOptions& options,
                                                    ModelOutput& output);
};

}  // namespace quintet
