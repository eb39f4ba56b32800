// TokenizerLoader: the tokenizer of a file alone, whatever else is in it, or nothing else.

#include <emscripten/bind.h>

#include <memory>
#include <string>
#include <vector>

#include "bindings/intake.h"
#include "runtime/inspect/describe.h"
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

class TokenizerLoader : public Intake<DescriptionSink> {
 public:
  TokenizerLoader(const std::string& format, double total, bool seekable)
      : Intake({.format = format, .total = total, .options = {.seekable = seekable, .verify_checksums = false}},
               read_decoder_model) {}

  // The value is a handle that JavaScript must delete().
  val finish() {
    if (const Status status = finish_reading(); !status) return failure(status.error());
    ModelDescription description = sink.description();
    auto codec = TextCodec::create(description);
    if (!codec) return failure(codec.error());
    return success(val(std::make_shared<Tokenizer>(std::move(*codec))));
  }
};

}  // namespace

EMSCRIPTEN_BINDINGS(tokenizer) {
  using namespace emscripten;
  bind_intake();
  class_<TokenizerLoader, base<Feed>>("TokenizerLoader")
      .constructor<const std::string&, double, bool>()
      .function("finish", &TokenizerLoader::finish);
  class_<Tokenizer>("Tokenizer")
      .smart_ptr<std::shared_ptr<Tokenizer>>("TokenizerPointer")
      .function("textWindow", &Tokenizer::text_window)
      .function("tokenize", &Tokenizer::tokenize)
      .function("token", &Tokenizer::token);
}

}  // namespace quintet::js
