#pragma once
// The readers and writers of all formats.

#include <memory>
#include <optional>

#include "formats/detect.h"
#include "formats/model_writer.h"

namespace quintet {

// Reads a model file of the given format, or of the one detected from its first bytes. The stream and the sink must
// outlive the parse.
Parse<void> read_model(ByteStream& in, std::optional<Format> format, ModelSink& sink, ReadOptions options);

// Reads the formats of embedders: .weights, GGUF and, in a folder, safetensors; others are UNSUPPORTED.
Parse<void> read_embedder_model(ByteStream& in, std::optional<Format> format, ModelSink& sink, ReadOptions options);

// Reads the formats of image networks, tinyRuntime and safetensors; others are UNSUPPORTED.
Parse<void> read_network_model(ByteStream& in, std::optional<Format> format, ModelSink& sink, ReadOptions options);

// Reads safetensors, the format of image embedders; others are UNSUPPORTED.
Parse<void> read_image_embedder_model(ByteStream& in, std::optional<Format> format, ModelSink& sink,
                                      ReadOptions options);

// Null for gguf, which is not written.
std::unique_ptr<ModelWriter> make_writer(Format format);

}  // namespace quintet
