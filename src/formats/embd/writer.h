#pragma once
// Writes .weights files front to back: a head that is known in advance, the data of the tensors as it arrives, the
// footer.

#include <memory>

#include "formats/model_writer.h"

namespace quintet::embd {

// Keeps the given order of tensors; writes alignment and checksums.
std::unique_ptr<ModelWriter> make_writer();

}  // namespace quintet::embd
