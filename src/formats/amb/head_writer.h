#pragma once
// What an AMB file has before its weights, and the fields of its tensor records.

#include <cstddef>
#include <vector>

#include "base/byte_writer.h"
#include "base/result.h"
#include "formats/model_description.h"

namespace quintet::amb {

// The header, metadata, config and tokenizer of the model. Fills in the tensors' places and sizes and the file's size.
// What the format cannot hold is an error.
Result<std::vector<std::byte>> write_head(ModelDescription& description);

// A tensor's record up to its scales or, where there are none, its data size. For tensors that write_head() has passed.
void put_fields(const TensorInfo& info, ByteWriter& out);

}  // namespace quintet::amb
