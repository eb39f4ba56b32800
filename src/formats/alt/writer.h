#pragma once
// Writes an ALT file (docs/formats/alt.md).

#include <memory>

#include "formats/model_writer.h"

namespace quintet::alt {

std::unique_ptr<ModelWriter> make_writer();

}  // namespace quintet::alt
