// Tokenizer: a model's tokenizer without the weights. TokenizerLoader reads one file of a model or of a tokenizer;
// TokenizerFolderLoader reads the tokenizer files of a Hugging Face folder.

#include <emscripten/bind.h>

#include <memory>
#include <string>
#include <vector>

#include "bindings/intake.h"
#include "bindings/outcome.h"
#include "bindings/window.h"
#include "formats/description_sink.h"
#include "runtime/model_folder/folder_files.h"
#include "runtime/tokenize/standalone_tokenizer.h"
#include "runtime/tokenize/tokenizer_file.h"

namespace quintet::js {
namespace {

val uint8_array(const std::vector<uint8_t>& values) {
  return val::global("Uint8Array").new_(emscripten::typed_memory_view(values.size(), values.data()));
}

class Tokenizer : Counted {
 public:
  explicit Tokenizer(StandaloneTokenizer tokenizer) : tokenizer_(std::move(tokenizer)) {}

  std::string info() const { return tokenizer_.info(); }
  val text_window(uint32_t bytes) { return window_.view(bytes); }
  val encode(uint32_t bytes, bool add_special, bool parse_special);
  val encode_pair(uint32_t first, uint32_t second, uint32_t max_length);
  std::string chat() const { return tokenizer_.chat(); }
  val encode_chat(uint32_t bytes, const val& changes);
  val decode(const val& ids, bool skip_special) const;
  std::string token(uint32_t id) const { return std::string(tokenizer_.codec().token(id)); }
  int id(uint32_t bytes);

 private:
  StandaloneTokenizer tokenizer_;
  Window window_;
};

val Tokenizer::encode(uint32_t bytes, bool add_special, bool parse_special) {
  const auto ids = tokenizer_.encode(window_.text(bytes), add_special, parse_special);
  window_.shrink();
  return ids ? success(int32_array(*ids)) : failure(ids.error());
}

val Tokenizer::encode_pair(uint32_t first, uint32_t second, uint32_t max_length) {
  const std::string_view text = window_.text(first);
  const std::string_view rest = window_.text(window_.all().size()).substr(text.size());
  const auto pair = tokenizer_.encode_pair(text, rest.substr(0, second), max_length);
  window_.shrink();
  if (!pair) return failure(pair.error());
  val out = val::object();
  out.set("ids", int32_array(pair->ids));
  out.set("types", uint8_array(pair->types));
  return success(out);
}

val Tokenizer::encode_chat(uint32_t bytes, const val& changes) {
  const auto origin = emscripten::convertJSArrayToNumberVector<uint32_t>(changes);
  const auto ids = tokenizer_.codec().encode_chat(window_.text(bytes), TextOrigin(origin));
  window_.shrink();
  return ids ? success(int32_array(*ids)) : failure(ids.error());
}

val Tokenizer::decode(const val& ids, bool skip_special) const {
  const auto text = tokenizer_.codec().decode(emscripten::convertJSArrayToNumberVector<uint32_t>(ids), skip_special);
  return text ? success(val(*text)) : failure(text.error());
}

// -1 if there is no token with the text in the buffer.
int Tokenizer::id(uint32_t bytes) {
  const auto id = tokenizer_.codec().find(window_.text(bytes));
  return id ? static_cast<int>(*id) : -1;
}

// A handle that JavaScript must delete().
val tokenizer_of(ModelDescription description) {
  auto tokenizer = StandaloneTokenizer::create(std::move(description));
  if (!tokenizer) return failure(tokenizer.error());
  return success(val(std::make_shared<Tokenizer>(*std::move(tokenizer))));
}

class TokenizerLoader : public Intake<DescriptionSink> {
 public:
  TokenizerLoader(const std::string& format, double total, bool seekable)
      : Intake({.format = format, .total = total, .options = {.seekable = seekable, .verify_checksums = false}},
               read_tokenizer_file) {}

  val finish() {
    if (const Status status = finish_reading(); !status) return failure(status.error());
    return tokenizer_of(sink.take());
  }
};

class TokenizerFolderLoader : Counted {
 public:
  val begin_file(const std::string& name) {
    if (!huggingface::Folder::takes(name)) {
      return failure(input_error(Reason::malformed, "{} does not describe a tokenizer", name).error());
    }
    files_.begin(name);
    return success();
  }
  val window(uint32_t bytes) { return window_.view(bytes); }
  val feed(uint32_t bytes) { return outcome(files_.feed(window_.bytes(bytes))); }
  val end_file() { return outcome(files_.end()); }
  val finish() {
    window_.release();
    auto description = files_.folder().describe_tokenizer();
    if (!description) return failure(in_format(failure_of(std::move(description)), "huggingface").error());
    return tokenizer_of(*std::move(description));
  }

 private:
  FolderFiles files_;
  Window window_;
};

}  // namespace

EMSCRIPTEN_BINDINGS(tokenizer) {
  using namespace emscripten;
  bind_intake();
  class_<TokenizerLoader, base<Feed>>("TokenizerLoader")
      .constructor<const std::string&, double, bool>()
      .function("finish", &TokenizerLoader::finish);
  class_<TokenizerFolderLoader>("TokenizerFolderLoader")
      .constructor<>()
      .function("beginFile", &TokenizerFolderLoader::begin_file)
      .function("window", &TokenizerFolderLoader::window)
      .function("feed", &TokenizerFolderLoader::feed)
      .function("endFile", &TokenizerFolderLoader::end_file)
      .function("finish", &TokenizerFolderLoader::finish);
  class_<Tokenizer>("Tokenizer")
      .smart_ptr<std::shared_ptr<Tokenizer>>("TokenizerPointer")
      .function("info", &Tokenizer::info)
      .function("textWindow", &Tokenizer::text_window)
      .function("encode", &Tokenizer::encode)
      .function("encodePair", &Tokenizer::encode_pair)
      .function("chat", &Tokenizer::chat)
      .function("encodeChat", &Tokenizer::encode_chat)
      .function("decode", &Tokenizer::decode)
      .function("token", &Tokenizer::token)
      .function("id", &Tokenizer::id);
}

}  // namespace quintet::js
