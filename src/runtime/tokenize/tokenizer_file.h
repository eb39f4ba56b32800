#pragma once
// Reads a tokenizer without its model, from a model file or from a file that contains only a tokenizer.

#include <optional>

#include "base/byte_stream.h"
#include "base/task.h"
#include "formats/model_sink.h"

namespace quintet {

// Reads a model file of the given format, or of the one detected from its first bytes; or a file for
// huggingface::Folder: tokenizer.json, tokenizer.model or vocab.txt, recognized by their content. The tensors of a
// model file are not read. The stream and the sink must outlive the parse.
Parse<void> read_tokenizer_file(ByteStream& in, std::optional<Format> format, ModelSink& sink, ReadOptions options);

}  // namespace quintet
