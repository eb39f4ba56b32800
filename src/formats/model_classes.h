#pragma once
// The classes of the package that take models, and which of them takes files of which format: whoever gives a file to
// another class is told.

#include <cstdint>

#include "base/result.h"
#include "formats/model_description.h"

namespace quintet {

enum class ModelClass : uint8_t { embedder, text_generator, image_classifier };

// The class that takes files of the format.
ModelClass class_of(Format format);

// A file of a format that another class takes, or a command makes a file from.
std::unexpected<Error> not_read_by(ModelClass asked, Format format);

// A file that the class Tokenizer was given, and which holds none.
std::unexpected<Error> without_tokenizer(Format format);

}  // namespace quintet
