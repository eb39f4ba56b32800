#pragma once
// Rows of query and key matrices whose halves a GGUF file has interleaved, put back head by head on their way into
// another sink.

#include <memory>

#include "formats/model_sink.h"

namespace quintet::decoder {

// `heads`: as gguf::interleaved_heads() gives them; 0 leaves the rows as they are, and `sink` is returned. FORMAT where
// the tensor has no rows of whole bytes for so many heads.
Result<std::unique_ptr<TensorSink>> head_order_sink(const TensorInfo& info, uint64_t heads,
                                                    std::unique_ptr<TensorSink> sink);

}  // namespace quintet::decoder
