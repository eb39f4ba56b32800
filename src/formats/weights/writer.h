#pragma once
// Writes .weights files front to back: a head that is known beforehand, the tensors' data as it
// comes, the footer.

#include <memory>

#include "formats/model_writer.h"

namespace quintet::weights {

// Tensors in the order given, aligned, with checksums.
std::unique_ptr<ModelWriter> make_writer();

}  // namespace quintet::weights
