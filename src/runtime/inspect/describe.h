#pragma once
// What a model file is, as JSON text: the answer of `inspect` and of an object's `info`.

#include <string>
#include <string_view>

#include "base/json.h"
#include "formats/model_description.h"
#include "runtime/classification/image_classifier.h"
#include "runtime/embedding/text_embedder.h"
#include "runtime/generation/generator_model.h"

namespace quintet {

// { format, kind, version, flags, architecture, file_size, metadata, config, tokenizer { type,
// size, special, bytes }, tensors
// [{ name, dtype, shape, offset, bytes, and what its quantization has }], memory { weights, load }
// }. Data types are spelt as in the format; memory is that of memory_estimate.h.
Json describe(const ModelDescription& description);

// The same of a loaded embedder; `memory` tells what it holds.
Json describe(const TextEmbedder& embedder);

// The same of a loaded decoder; memory.load has a KV cache of the whole context.
Json describe(const GeneratorModel& model);

// The same of a loaded image network; memory.load has the activations of a picture of the usual size.
Json describe(const ImageClassifier& classifier);

// From the metadata of a decoder's file, under AMB's, ALT's or GGUF's key; empty where it has no name.
std::string_view model_name(const Json& metadata);

}  // namespace quintet
