#pragma once
// The general information of an ALT file: seven strings, which become the description's metadata.

#include "base/byte_stream.h"
#include "base/byte_writer.h"
#include "formats/model_description.h"

namespace quintet::alt {

Parse<void> read_general(ByteStream& in, ModelDescription& description);

// Missing strings are written as empty. Other metadata is an error, since it would be lost.
Status write_general(const Json& metadata, ByteWriter& out);

}  // namespace quintet::alt
