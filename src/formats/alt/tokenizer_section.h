#pragma once
// The vocabulary with its scores and types, and the ids of special tokens.

#include "base/byte_stream.h"
#include "base/byte_writer.h"
#include "formats/model_description.h"

namespace quintet::alt {

// `seq_len`, if the section has it, becomes a key of the config.
Parse<void> read_tokenizer(ByteStream& in, ModelDescription& description);

// Always written as in the specification's tables. Without `seq_len` in the config, it is `max_position_embeddings`.
Status write_tokenizer(const ModelDescription& description, ByteWriter& out);

}  // namespace quintet::alt
