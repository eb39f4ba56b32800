// GeneratorLoader: a decoder's files in, chunk by chunk, and the generator out.

#include <emscripten/bind.h>

#include <optional>
#include <string>

#include "bindings/decoder/available_memory.h"
#include "bindings/decoder/generator.h"
#include "bindings/whole_number.h"
#include "runtime/generation/generator_loader.h"
#include "runtime/generation/generator_options.h"
#include "runtime/generation/warm_up.h"

namespace quintet::js {
namespace {

class LoadingGenerator : Counted {
 public:
  // Options that are wrong are answered with the first call that can fail.
  explicit LoadingGenerator(const std::string& options) {
    if (const auto request = read_generator_options(options)) {
      loader_.emplace(request->options, request->format, available_memory());
    } else {
      refused_ = request.error();
    }
  }

  val begin_file(const std::string& name, double total) {
    return loader_ ? outcome(loader_->begin_file(name, whole_number(total))) : failure(refused_);
  }
  val window(uint32_t bytes) { return window_.view(bytes); }
  val feed(uint32_t bytes) { return loader_ ? outcome(loader_->feed(window_.bytes(bytes))) : failure(refused_); }
  val end_file() { return loader_ ? outcome(loader_->end_file()) : failure(refused_); }

  // The value is a handle that JavaScript must delete().
  val finish() {
    if (!loader_) return failure(refused_);
    window_.release();
    auto loaded = loader_->finish();
    if (!loaded) return failure(loaded.error());
    const std::shared_ptr<const GeneratorModel> model = std::move(*loaded);
    auto session = GenerationSession::create(model);
    if (!session) return failure(session.error());
    warm_up(**session);
    return success(val(std::make_shared<Generator>(model)));
  }

 private:
  std::optional<GeneratorLoader> loader_;
  Error refused_;
  Window window_;
};

}  // namespace

EMSCRIPTEN_BINDINGS(generator_loader) {
  using namespace emscripten;
  class_<LoadingGenerator>("GeneratorLoader")
      .constructor<const std::string&>()
      .function("beginFile", &LoadingGenerator::begin_file)
      .function("window", &LoadingGenerator::window)
      .function("feed", &LoadingGenerator::feed)
      .function("endFile", &LoadingGenerator::end_file)
      .function("finish", &LoadingGenerator::finish);
}

}  // namespace quintet::js
