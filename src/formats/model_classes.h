#pragma once
// The classes of the package that load models, and the formats that they read. An error for another format names the
// right class.

#include <cstdint>

#include "base/result.h"
#include "formats/model_description.h"

namespace quintet {

enum class ModelClass : uint8_t { embedder, text_generator, image_classifier, image_embedder };

// The class that reads files of the format.
ModelClass class_of(Format format);

// The error for a file of a format that another class reads. Names that class, or the command that converts it.
Failure not_read_by(ModelClass asked, Format format);

// The error for a file without a tokenizer that was passed to the class Tokenizer.
Failure without_tokenizer(Format format);

}  // namespace quintet
