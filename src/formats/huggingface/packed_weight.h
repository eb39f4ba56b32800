#pragma once
// A weight that another program has quantized: several tensors of a checkpoint make one matrix. It becomes a payload of
// AMB with the same integers, or float32 values.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/aligned_buffer.h"
#include "base/result.h"
#include "formats/huggingface/weight_packing.h"
#include "formats/model_sink.h"

namespace quintet::huggingface {

// One matrix. First its parts are announced, then their bytes are added, both in any order.
class PackedWeight {
 public:
  explicit PackedWeight(const WeightPacking& packing) : packing_(packing) {}

  // FORMAT for a second tensor of one part.
  Status announce(WeightPart part, const TensorInfo& info);
  // Whether all parts that the values need have arrived; `missing` names one that has not.
  bool is_whole() const { return !missing(); }
  std::optional<WeightPart> missing() const;

  // Describes matrix(), under the name `weight`, as this becomes it; the shapes and types of the parts must fit each
  // other. `shape` is that of the model, where 0 is unknown: some packings do not contain it. Requires is_whole().
  Status describe(std::string weight, const std::vector<uint64_t>& shape);
  const TensorInfo& matrix() const { return matrix_; }

  // Allocates memory for a part whose bytes exist.
  Status reserve(WeightPart part);
  // Adds the next bytes of a part, in pieces of any size.
  Status add(WeightPart part, Bytes bytes);
  // All bytes of the part were added. Checks what needs no other part.
  Status end(WeightPart part);
  // Whether all bytes that the values need have arrived and were not released.
  bool is_complete() const;

  // Writes the payload of the matrix, or its values as float32. Requires describe() and is_complete().
  Status write_to(ByteSink& sink, bool as_floats) const;
  // Frees the bytes of all parts.
  void release();

 private:
  struct Part {
    std::optional<TensorInfo> info;
    AlignedBuffer<std::byte> bytes;
    bool is_complete = false;
  };
  // Values in the order of the output. A group never extends over two rows.
  struct Grid {
    uint64_t rows = 0, cols = 0, group = 0;
    uint64_t groups() const { return cols / group; }
  };

  Part& at(WeightPart part) { return parts_[static_cast<size_t>(part)]; }
  const Part& at(WeightPart part) const { return parts_[static_cast<size_t>(part)]; }
  bool needs(WeightPart part) const;
  Result<std::vector<uint64_t>> matrix_shape(const std::vector<uint64_t>& shape) const;
  Result<Grid> grid() const;
  std::optional<std::vector<uint64_t>> shape_of(WeightPart part) const;
  Status check_order() const;
  Status check_shape() const;
  template <class... Values>
  QUINTET_INLINE Failure wrong(WeightPart part, Pattern<sizeof...(Values)> detail, const Values&... values) const {
    return tensor_error(Code::format, Reason::mismatch, *at(part).info, detail, values...);
  }

  Status read_scales(AlignedBuffer<float>& scales) const;
  Status read_codebook(AlignedBuffer<float>& codebook) const;
  void unpack(size_t row, size_t count, int8_t* q) const;
  Status subtract_zeros(size_t row, size_t count, int8_t* q) const;
  int zero(size_t row, size_t group) const;

  WeightPacking packing_;
  std::array<Part, kWeightParts> parts_;
  TensorInfo matrix_;
  Grid grid_;
  bool is_released_ = false;
};

}  // namespace quintet::huggingface
