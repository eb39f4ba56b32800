#pragma once
// Repacks the block types of GGUF, whose rows consist of whole blocks: all threads decode panels of rows at once.

#include <memory>

#include "tensor/packed/repacker.h"

namespace quintet {

std::unique_ptr<ByteSink> make_gguf_repacker(Scheme scheme, BlockMatrix& matrix);

}  // namespace quintet
