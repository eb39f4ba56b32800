#pragma once
// Detects the format of a file, and reads those that contain decoders.

#include <optional>
#include <string_view>

#include "base/task.h"
#include "formats/model_sink.h"

namespace quintet {

// The format with this name; nothing for an empty or unknown name.
std::optional<Format> format_named(std::string_view name);

// The format according to the first bytes of a file; kSniffBytes are enough.
constexpr uint64_t kSniffBytes = 16;
std::optional<Format> sniff(Bytes head);

// The given format, or the one detected from the first bytes of the stream, which are not consumed. BAD_MAGIC for what
// looks like another kind of file.
Parse<Format> find_format(ByteStream& in, std::optional<Format> format);

// Reads a file of a format that contains decoders: AMB, ALT, GGUF and safetensors; others are UNSUPPORTED. The stream
// and the sink must outlive the parse. formats/model_files.h also reads the other formats: a module that only
// calls this does not contain their readers.
Parse<void> read_decoder_model(ByteStream& in, std::optional<Format> format, ModelSink& sink, ReadOptions options);

}  // namespace quintet
