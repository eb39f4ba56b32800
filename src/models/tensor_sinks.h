#pragma once
// The sinks that convert the bytes of a tensor to the form in which models store their weights.

#include <memory>
#include <span>

#include "base/aligned_buffer.h"
#include "base/unit_assembler.h"
#include "formats/model_sink.h"
#include "tensor/codecs/value_sink.h"
#include "tensor/packed/packed_matrix.h"
#include "tensor/packed/row_table.h"

namespace quintet {

// The types that a tensor may have. A caller names no more than it needs, because each adds its decoders to the module.
enum class SourceTypes : uint8_t {
  same,     // the type of the target, whose bytes are stored unchanged
  plain,    // plain types
  network,  // plain types and those of tinyRuntime
  encoder,  // plain types, those of tinyRuntime and the blocks of GGUF
  all,
};

// Makes the sink that fills `target` with a tensor: a matrix or table of its shape in the storage of the target, where
// int8 rows that have another type are quantized with one scale each; or a buffer with its values as float32. If the
// bytes of the tensor exist, memory for all of it is reserved at once. The target must outlive the sink.
template <SourceTypes types, class Target>
Result<std::unique_ptr<ByteSink>> tensor_sink(const TensorArrival& tensor, Target& target);

// FORMAT for tensors that are not matrices, or have wider rows than any model. This limits the memory for one row,
// regardless of the file.
Status check_matrix(const TensorInfo& info);

// Assembles rows from values.
class RowSink : public ValueSink {
 public:
  Status write(std::span<const float> values) final;

 protected:
  explicit RowSink(size_t cols) : cols_(cols) {}

  virtual Status take_row(std::span<const float> row) = 0;

 private:
  size_t cols_;
  UnitAssembler<float> rows_;
};

}  // namespace quintet
