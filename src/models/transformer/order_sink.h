#pragma once
// Puts the rows of a tensor into the order in which they are used while its bytes arrive.

#include <memory>

#include "architectures/transformer/tensor_order.h"
#include "base/result.h"
#include "formats/model_description.h"
#include "formats/model_sink.h"

namespace quintet {

// Returns a sink that passes a tensor on in the order in which it is used: `sink` itself if the file has that order.
// Rows of heads are reordered head by head; other tensors are held until all of their bytes are there. Fails as
// check_order().
Result<std::unique_ptr<ByteSink>> order_sink(const TensorInfo& info, const transformer::TensorOrder& order,
                                             std::unique_ptr<ByteSink> sink);

}  // namespace quintet
