#pragma once
// A tokenizer without its model, from one file of whatever kind: a model file, or one of those that hold a tokenizer
// alone.

#include <optional>

#include "base/byte_stream.h"
#include "base/task.h"
#include "formats/model_sink.h"

namespace quintet {

// Reads a model file of the given format, or of the one that its first bytes tell; or what huggingface::Folder takes:
// tokenizer.json, tokenizer.model or vocab.txt, told by their content. Of a model file the tensors are not looked at.
// The stream and the sink outlive the parse.
Parse<void> read_tokenizer_file(ByteStream& in, std::optional<Format> format, ModelSink& sink, ReadOptions options);

}  // namespace quintet
