#pragma once
// SentencePiece's ModelProto, the content of a tokenizer.model: protobuf with the pieces, their scores and types, and
// the special ids (sentencepiece_model.proto of google/sentencepiece).

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "formats/model_description.h"

namespace quintet::sentencepiece {

// A tokenizer of type `sentencepiece` with tokens, scores, types, special ids and, in `bytes`, the proto itself.
// Offsets of errors are relative to `base`, the position of the proto in the file.
Result<TokenizerDescription> read_model_proto(Bytes proto, uint64_t base = 0);

// Creates the proto of a BPE model with byte fallback, for a tokenizer that has tokens, scores and types but no proto.
Result<std::vector<std::byte>> write_model_proto(const TokenizerDescription& tokenizer);

}  // namespace quintet::sentencepiece
