#pragma once
// What becomes of one tensor's payload on its way from the source to the output.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "runtime/convert/plan.h"
#include "runtime/convert/source_model.h"

namespace quintet {

class PayloadStep {
 public:
  virtual ~PayloadStep() = default;
  // The next bytes of the source's payload, in pieces of any size. Appends what is ready of the
  // output's to `out`.
  virtual Status write(Bytes piece, std::vector<std::byte>& out) = 0;
  virtual Status finish(std::vector<std::byte>& out) = 0;
  // Of the output, with the parameters that the values gave; final when the first byte is out.
  virtual Quantization quantization() const = 0;
};

Result<std::unique_ptr<PayloadStep>> make_step(const Job& job);

// Matrices that a file stores in another order than the one that readers give: the rows of query and key matrices in
// GGUF files of Llama models (docs/formats/gguf.md), and the columns of linear weights in flat .weights files
// (docs/formats/weights.md, "Flat layout"). They are held until they are whole.
//
// Whether the payload is stored in another order: with interleaved heads, or transposed.
inline bool is_reordered(const TensorInfo& info, uint32_t heads) { return heads != 0 || info.transposed; }

// Puts the rows of a payload into order. Requires rows of whole bytes and no scales apart; a transposed matrix is one
// of float32.
void restore_rows(std::vector<std::byte>& payload, const TensorInfo& info, uint32_t heads);

}  // namespace quintet
