#pragma once
// Writes a tinyRuntime file (docs/formats/tinyruntime.md).

#include <memory>

#include "formats/model_writer.h"

namespace quintet::tinyruntime {

std::unique_ptr<ModelWriter> make_writer();

}  // namespace quintet::tinyruntime
