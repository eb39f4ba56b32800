#pragma once
// How an ALT file begins and ends.

#include "base/byte_stream.h"
#include "base/byte_writer.h"
#include "base/task.h"

namespace quintet::alt {

Parse<void> read_start(ByteStream& in);
// The end marker, which may be cut to 4 bytes (docs/formats/alt.md), and nothing behind it.
Parse<void> read_end(ByteStream& in);
// Whether bytes at the place of a section are the end marker's.
bool is_end_marker(Bytes bytes);

void write_start(ByteWriter& out);

}  // namespace quintet::alt
