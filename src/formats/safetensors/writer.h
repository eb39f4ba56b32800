#pragma once
// Writes safetensors files front to back.

#include <memory>

#include "formats/model_writer.h"

namespace quintet::safetensors {

std::unique_ptr<ModelWriter> make_writer();

}  // namespace quintet::safetensors
