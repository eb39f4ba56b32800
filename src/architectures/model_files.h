#pragma once
// The reader and the writer of each format. Those of tinyRuntime belong to architectures/resnet: such a file lists the
// layers of a network without telling how they connect or what they are called.

#include <memory>
#include <optional>

#include "formats/detect.h"
#include "formats/model_writer.h"

namespace quintet {

// Reads a model file of the given format, or of the one that its first bytes tell. The stream and the sink outlive the
// parse.
Parse<void> read_model(ByteStream& in, std::optional<Format> format, ModelSink& sink, ReadOptions options);

// The same for .weights, the format that holds sentence embedders; others are UNSUPPORTED.
Parse<void> read_embedder_model(ByteStream& in, std::optional<Format> format, ModelSink& sink, ReadOptions options);

// The same for tinyRuntime, the format that holds image networks; others are UNSUPPORTED.
Parse<void> read_network_model(ByteStream& in, std::optional<Format> format, ModelSink& sink, ReadOptions options);

// Null for gguf, which is not written.
std::unique_ptr<ModelWriter> make_writer(Format format);

}  // namespace quintet
