#pragma once
// The repackers of each family of quantizations; repacker.h chooses among them.

#include "tensor/packed/repacker.h"

namespace quintet {

std::unique_ptr<Repacker> make_amb_repacker(const Quantization& quantization, BlockMatrix& matrix);
std::unique_ptr<Repacker> make_alt_repacker(const Quantization& quantization, BlockMatrix& matrix);
std::unique_ptr<Repacker> make_gguf_repacker(Scheme scheme, BlockMatrix& matrix);

}  // namespace quintet
