#pragma once
// The block types of GGUF, as ggml defines them; they are read and not written.

#include "tensor/codecs/payload.h"

namespace quintet {

// Nothing where `elements` do not fill whole blocks.
std::optional<PayloadSize> gguf_payload_size(Scheme scheme, uint64_t elements);

// Requires that gguf_payload_size() gave a size.
std::unique_ptr<PayloadDecoder> make_gguf_decoder(Scheme scheme, uint64_t elements);

}  // namespace quintet
