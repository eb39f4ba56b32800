#pragma once
// What becomes of one tensor's payload on its way from the source to the output.

#include <memory>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "runtime/convert/plan.h"

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

}  // namespace quintet
