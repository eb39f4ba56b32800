#pragma once
// The sizes of the model, which are the description's config under the names of the specification.

#include "base/byte_stream.h"
#include "base/byte_writer.h"
#include "formats/model_description.h"

namespace quintet::alt {

// Config key of the longest sequence. The number stands in the tokenizer section (docs/formats/alt.md).
constexpr std::string_view kSeqLen = "seq_len";

Parse<void> read_parameters(ByteStream& in, ModelDescription& description);

// All parameters must be there; other config than `seq_len` is an error, since it would be lost.
Status write_parameters(const Json& config, ByteWriter& out);

// A natural number of the config that fits the format's int32.
Result<int32_t> config_number(const Json& config, std::string_view key);

}  // namespace quintet::alt
