#pragma once
// Describes a model file as JSON: the result of `inspect` and the `info` of loaded models.

#include <string>
#include <string_view>

#include "base/json.h"
#include "formats/model_description.h"
#include "runtime/classification/image_classifier.h"
#include "runtime/embedding/text_embedder.h"
#include "runtime/generation/generator_model.h"
#include "runtime/image_embedding/image_embedder.h"
#include "runtime/inspect/memory_estimate.h"
#include "runtime/labeling/labeler.h"
#include "runtime/reranking/reranker.h"

namespace quintet {

// { format, title of a decoder, kind, version, flags, architecture, file_size, metadata, config, tokenizer { type,
// size, special, bytes }, tensors
// [{ name, dtype, shape, offset, bytes, and what its quantization has }], memory { weights, load }
// }. Data types are spelled as in the format; memory is that of memory_estimate.h.
Json describe(const ModelDescription& description, const GeneratorOptions& load = {});

// Describes a loaded embedder, reranker or classifier of texts, with its actual memory.
Json describe(const TextEmbedder& embedder);
Json describe(const Reranker& reranker);
Json describe(const Labeler& labeler);

// Describes a loaded decoder; memory.load includes a KV cache for the whole context.
Json describe(const GeneratorModel& model);

// Describes a loaded image network; memory.load includes the activations of a picture of the usual size.
Json describe(const ImageClassifier& classifier);

// Likewise, with the larger of both towers' activations.
Json describe(const ImageEmbedder& embedder);

// From the metadata of a decoder's file, under AMB's, ALT's or GGUF's key; empty if it has no name.
std::string_view model_name(const Json& metadata);

}  // namespace quintet
