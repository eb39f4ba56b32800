#include "tensor/payload.h"

namespace quintet {

std::optional<PayloadSize> payload_size(Dtype, const Quantization&, uint64_t) { return std::nullopt; }
std::optional<uint64_t> adaptive_bytes(const Quantization&, uint64_t, double) { return std::nullopt; }
Result<std::unique_ptr<PayloadDecoder>> make_decoder(Dtype, const Quantization&, uint64_t, uint64_t) {
  return unsupported_error("not yet");
}
Result<std::unique_ptr<PayloadEncoder>> make_encoder(Dtype, const Quantization&, uint64_t, uint64_t) {
  return unsupported_error("not yet");
}

}  // namespace quintet
