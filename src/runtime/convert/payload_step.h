#pragma once
// Converts the payload of one tensor from the source to the output.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/byte_sink.h"
#include "runtime/convert/plan.h"
#include "runtime/convert/source_model.h"

namespace quintet {

// Reads the source's payload, and appends the output that is ready to a vector.
class PayloadStep : public ByteSink {
 public:
  // Returns the quantization of the output, whose parameters may depend on the values; final once there is output.
  virtual Quantization quantization() const = 0;
};

// `out` must outlive the step.
Result<std::unique_ptr<PayloadStep>> make_step(const Job& job, std::vector<std::byte>& out);

// Matrices that a file stores in another order than readers return them: the rows of query and key matrices in GGUF
// files of Llama models (docs/formats/gguf.md), and the columns of linear weights in flat .weights files
// (docs/formats/weights.md, "Flat layout"). They are held until they are complete.
//
// Whether the payload is stored in another order.
inline bool is_reordered(const SourceTensor& tensor) { return !tensor.order.is_ours() || tensor.info.transposed; }

// Reorders the rows of a payload, of which make_step() has made sure that it can be done.
void restore_rows(std::vector<std::byte>& payload, const SourceTensor& tensor);

}  // namespace quintet
