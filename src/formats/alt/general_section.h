#pragma once
// What an ALT file says about itself: seven strings, which are the description's metadata.

#include "base/byte_stream.h"
#include "base/byte_writer.h"
#include "formats/model_description.h"

namespace quintet::alt {

Parse<void> read_general(ByteStream& in, ModelDescription& description);

// Strings that the metadata does not have are written empty; other metadata is an error, since it would be lost.
Status write_general(const Json& metadata, ByteWriter& out);

}  // namespace quintet::alt
