#pragma once
// The tensors: their numbers, then records and data in turns.

#include "base/byte_stream.h"
#include "base/byte_writer.h"
#include "formats/model_sink.h"

namespace quintet::alt {

Parse<void> read_tensors(ByteStream& in, ModelSink& sink, ModelDescription& description);

// Appends the section up to its first record to `out`, which begins where the file does. Fills in the places and sizes
// of the tensors' data, and gives the end of the last.
Result<uint64_t> write_tensors_head(std::vector<TensorInfo>& tensors, ByteWriter& out);

}  // namespace quintet::alt
