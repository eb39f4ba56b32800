#pragma once
// Which format a file has, and the reader for it.

#include <optional>
#include <string_view>

#include "base/task.h"
#include "formats/model_sink.h"

namespace quintet {

// The format of that name; nothing for the empty or an unknown name.
std::optional<Format> format_named(std::string_view name);

// What the first bytes of a file tell; kSniffBytes are enough.
constexpr uint64_t kSniffBytes = 16;
std::optional<Format> sniff(Bytes head);

// Reads a model file of the given format, or of the one that its first bytes tell. The stream and
// the sink outlive the parse.
Parse<void> read_model(ByteStream& in, std::optional<Format> format, ModelSink& sink, ReadOptions options);

// The same for the formats that hold decoders: AMB, ALT, GGUF and safetensors; others are UNSUPPORTED. A module that
// only reads these does not contain the other readers.
Parse<void> read_decoder_model(ByteStream& in, std::optional<Format> format, ModelSink& sink, ReadOptions options);

// The same for tinyRuntime, the format that holds image networks.
Parse<void> read_network_model(ByteStream& in, std::optional<Format> format, ModelSink& sink, ReadOptions options);

}  // namespace quintet
