#pragma once
// The sizes of the model, which become the description's config under the names of the specification.

#include "base/byte_stream.h"
#include "base/byte_writer.h"
#include "formats/model_description.h"

namespace quintet::alt {

// Config key of the maximum sequence length. The number is in the tokenizer section (docs/formats/alt.md).
constexpr std::string_view kSeqLen = "seq_len";

Parse<void> read_parameters(ByteStream& in, ModelDescription& description);

// All parameters are required. Config keys other than these and `seq_len` are an error, since they would be lost.
Status write_parameters(const Json& config, ByteWriter& out);

// A natural number of the config that fits int32, as the format requires.
Result<int32_t> config_number(const Json& config, std::string_view key);

}  // namespace quintet::alt
