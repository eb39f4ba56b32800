// The tokenizer of a model alone: TokenizerLoader takes a file, whatever else is in it, or nothing else;
// TokenizerFolderLoader those files of a Hugging Face folder that describe a tokenizer.

#include <emscripten/bind.h>

#include <memory>
#include <string>
#include <vector>

#include "bindings/intake.h"
#include "runtime/inspect/describe.h"
#include "runtime/text/describing_files.h"
#include "runtime/text/text_codec.h"

namespace quintet::js {
namespace {

class Tokenizer : Counted {
 public:
  explicit Tokenizer(TextCodec codec) : codec_(std::move(codec)) {}

  val text_window(uint32_t bytes) { return window_.view(bytes); }
  val tokenize(uint32_t bytes, bool add_bos, bool parse_special) {
    const auto ids = codec_.encode(window_.text(bytes), {.add_bos = add_bos, .parse_special = parse_special});
    window_.shrink();
    return ids ? success(int32_array(*ids)) : failure(ids.error());
  }
  std::string token(uint32_t id) const { return std::string(codec_.token(id)); }

 private:
  TextCodec codec_;
  Window window_;
};

// A handle that JavaScript must delete().
val tokenizer_of(ModelDescription description) {
  auto codec = TextCodec::create(description);
  if (!codec) return failure(codec.error());
  return success(val(std::make_shared<Tokenizer>(std::move(*codec))));
}

class TokenizerLoader : public Intake<DescriptionSink> {
 public:
  TokenizerLoader(const std::string& format, double total, bool seekable)
      : Intake({.format = format, .total = total, .options = {.seekable = seekable, .verify_checksums = false}},
               read_decoder_model) {}

  val finish() {
    if (const Status status = finish_reading(); !status) return failure(status.error());
    return tokenizer_of(sink.description());
  }
};

class TokenizerFolderLoader : Counted {
 public:
  val begin_file(const std::string& name) {
    if (!huggingface::Folder::takes(name)) {
      return failure(input_error(Reason::malformed, name + " describes no tokenizer").error());
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
    if (!description) return failure(in_format(std::move(description).error(), "huggingface"));
    return tokenizer_of(*std::move(description));
  }

 private:
  DescribingFiles files_;
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
      .function("textWindow", &Tokenizer::text_window)
      .function("tokenize", &Tokenizer::tokenize)
      .function("token", &Tokenizer::token);
}

}  // namespace quintet::js
