#pragma once
// The tensors: their counts, then records and data alternating.

#include "base/byte_stream.h"
#include "base/byte_writer.h"
#include "formats/model_sink.h"

namespace quintet::alt {

Parse<void> read_tensors(ByteStream& in, ModelSink& sink, ModelDescription& description);

// Appends the section up to its first record to `out`, which starts where the file does. Fills in the positions and
// sizes of the tensors' data, and returns the end of the last.
Result<uint64_t> write_tensors_head(std::vector<TensorInfo>& tensors, ByteWriter& out);

}  // namespace quintet::alt
