#pragma once
// Which format a file has, and the reader for those that hold decoders.

#include <optional>
#include <string>
#include <string_view>

#include "base/task.h"
#include "formats/model_sink.h"

namespace quintet {

// The format of that name; nothing for the empty or an unknown name.
std::optional<Format> format_named(std::string_view name);

// What the first bytes of a file tell; kSniffBytes are enough.
constexpr uint64_t kSniffBytes = 16;
std::optional<Format> sniff(Bytes head);

// What most often comes in the place of a model is named behind `problem`: ": it looks like gzip data, ...".
std::string with_likely_kind(std::string problem, Bytes head);

// The given format, or the one that the first bytes of the stream tell; they are still there afterwards.
Parse<Format> find_format(ByteStream& in, std::optional<Format> format);

// Reads a file of one of the formats that hold decoders: AMB, ALT, GGUF and safetensors; others are UNSUPPORTED. The
// stream and the sink outlive the parse. architectures/model_files.h reads the other formats as well: a module that
// only calls this does not contain their readers.
Parse<void> read_decoder_model(ByteStream& in, std::optional<Format> format, ModelSink& sink, ReadOptions options);

}  // namespace quintet
