#include "runtime/tokenize/tokenizer_file.h"

#include <string>
#include <string_view>
#include <utility>

#include "base/utf8.h"
#include "formats/alt/reader.h"
#include "formats/amb/reader.h"
#include "formats/detect.h"
#include "formats/embd/reader.h"
#include "formats/gguf/reader.h"
#include "formats/model_classes.h"
#include "formats/other_files.h"
#include "runtime/model_folder/folder_files.h"

namespace quintet {
namespace {

// Returns the name that the file would have in a folder, or nothing.
std::string_view file_name_of(std::string_view content) {
  const size_t begin = content.find_first_not_of(" \t\r\n");
  if (begin != content.npos && content[begin] == '{') return "tokenizer.json";
  // Every BERT vocabulary has this line; in SentencePiece's pieces, a length precedes the text.
  const bool has_unknown = content.starts_with("[UNK]") || content.contains("\n[UNK]");
  if (has_unknown && !find_invalid_utf8(content)) return "vocab.txt";
  constexpr char kFirstPiece = 0x0A;  // key of the field `pieces` in a ModelProto
  return content.starts_with(kFirstPiece) ? "tokenizer.model" : "";
}

Status add_standalone_file(std::string_view content, FolderFiles& files) {
  const std::string_view name = file_name_of(content);
  if (name.empty()) {
    std::string problem =
        "neither a model file (AMB, ALT, .weights, GGUF) nor a tokenizer: a tokenizer.json, a tokenizer.model "
        "of SentencePiece or a vocab.txt of BERT";
    return format_error(Reason::bad_magic, 0, "{}",
                        with_other_kind(std::move(problem), as_bytes(content.substr(0, kSniffBytes))));
  }
  return files.folder().add(name, content);
}

Parse<void> read_standalone_file(ByteStream& in, ModelSink& sink) {
  // No tokenizer.json is that large.
  constexpr size_t kMaxBytes = 64u << 20;
  std::string content;
  for (;;) {
    QUINTET_CO_TRY(const Bytes next, co_await in.peek());
    if (next.empty()) break;
    if (content.size() == kMaxBytes) co_return format_error(Reason::limit, kMaxBytes, "a tokenizer larger than 64 MB");
    QUINTET_CO_TRY(const Bytes piece, co_await in.some(kMaxBytes - content.size()));
    content += as_text(piece);
  }
  FolderFiles files;
  QUINTET_CO_CHECK(add_standalone_file(content, files));
  content = {};
  QUINTET_CO_TRY(ModelDescription description, files.folder().describe_tokenizer());
  co_return sink.end(std::move(description));
}

}  // namespace

Parse<void> read_tokenizer_file(ByteStream& in, std::optional<Format> format, ModelSink& sink, ReadOptions) {
  if (!format) {
    QUINTET_CO_TRY(const Bytes head, co_await in.peek(kSniffBytes));
    format = sniff(head);
  }
  if (!format) {
    Status status = co_await read_standalone_file(in, sink);
    if (!status) co_return in_format(failure_of(std::move(status)), "huggingface");
    co_return Status();
  }
  switch (*format) {
    case Format::amb:
      co_return co_await amb::read_head(in, sink);
    case Format::alt:
      co_return co_await alt::read_head(in, sink);
    case Format::gguf:
      co_return co_await gguf::read_head(in, sink);
    case Format::embd:
      co_return co_await embd::read_head(in, sink);
    case Format::safetensors:
    case Format::tinyruntime:
      break;
  }
  co_return without_tokenizer(*format);
}

}  // namespace quintet
