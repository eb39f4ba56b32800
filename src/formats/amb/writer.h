#pragma once
// Writes an AMB file (docs/formats/amb.md).

#include <memory>

#include "formats/model_writer.h"

namespace quintet::amb {

std::unique_ptr<ModelWriter> make_writer();

}  // namespace quintet::amb
