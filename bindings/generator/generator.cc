// GeneratorLoader and Generator: load the files of a decoder chunk by chunk; the loaded model, its tokenizer and its
// sessions.

#include <emscripten/bind.h>

#ifdef __wasm64__
#include <emscripten/heap.h>

#include "base/aligned_buffer.h"
#else
#include <emscripten/emmalloc.h>
#endif

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bindings/generator/session.h"
#include "bindings/outcome.h"
#include "bindings/window.h"
#include "runtime/adapters/adapter_loader.h"
#include "runtime/generation/batch.h"
#include "runtime/generation/generation_options.h"
#include "runtime/generation/generator_loader.h"
#include "runtime/generation/generator_model.h"
#include "runtime/generation/session.h"
#include "runtime/inspect/describe.h"

namespace quintet::js {
namespace {

val outcome_of(const Result<std::vector<uint32_t>>& ids) {
  return ids ? success(int32_array(*ids)) : failure(ids.error());
}

class Generator : Counted {
 public:
  explicit Generator(std::shared_ptr<Batch> batch) : batch_(std::move(batch)), model_(batch_->model()) {}

  std::string info() const;
  double context_length() const { return static_cast<double>(model_->context_length); }
  double vocabulary_size() const { return static_cast<double>(model_->config.n_vocab); }

  val text_window(uint32_t bytes) { return window_.view(bytes); }
  val tokenize(uint32_t bytes, bool add_bos, bool parse_special);
  val detokenize(const val& ids) const;
  std::string token(uint32_t id) const { return std::string(model_->codec.token(id)); }
  std::string chat() const { return model_->codec.chat(model_->description); }
  val encode_chat(uint32_t bytes, const val& changes);
  val vocabulary(bool begins) const;
  int find(const std::string& token) const;

  val create_session() const;
  void step() { batch_->step(); }

  val load_adapter(const std::string& name) const;
  val unload_adapter(const std::string& name) { return outcome(adapters_->remove(name)); }
  val use_adapters(Session& session, const std::string& json) const;

 private:
  std::shared_ptr<Batch> batch_;
  std::shared_ptr<const GeneratorModel> model_;
  std::shared_ptr<AdapterStore> adapters_ = std::make_shared<AdapterStore>();
  Window window_;
};

std::string Generator::info() const { return write_json(describe(*model_)); }

val Generator::tokenize(uint32_t bytes, bool add_bos, bool parse_special) {
  const auto ids = model_->codec.encode(window_.text(bytes), {.add_bos = add_bos, .parse_special = parse_special});
  window_.shrink();
  return outcome_of(ids);
}

val Generator::detokenize(const val& ids) const {
  const auto text = model_->codec.decode(emscripten::convertJSArrayToNumberVector<uint32_t>(ids));
  return text ? success(val(*text)) : failure(text.error());
}

val Generator::encode_chat(uint32_t bytes, const val& changes) {
  const auto origin = emscripten::convertJSArrayToNumberVector<uint32_t>(changes);
  const auto ids = model_->codec.encode_chat(window_.text(bytes), TextOrigin(origin));
  window_.shrink();
  return outcome_of(ids);
}

// For a grammar, which works on bytes in a separate module.
val Generator::vocabulary(bool begins) const {
  const TextCodec& codec = model_->codec;
  if (!codec.has_tokenizer()) return failure(unsupported_error("a grammar needs a model with a tokenizer").error());
  std::string bytes;
  std::vector<uint32_t> ends;
  std::vector<uint32_t> stops;
  for (uint32_t id = 0; id < model_->config.n_vocab; ++id) {
    if (codec.is_end(id)) stops.push_back(id);
    codec.append_bytes(id, begins, bytes);
    ends.push_back(static_cast<uint32_t>(bytes.size()));
  }
  val out = val::object();
  const val view(emscripten::typed_memory_view(bytes.size(), reinterpret_cast<const uint8_t*>(bytes.data())));
  out.set("bytes", val::global("Uint8Array").new_(view));
  out.set("ends", int32_array(ends));
  out.set("stops", int32_array(stops));
  return success(out);
}

int Generator::find(const std::string& token) const {
  const auto id = model_->codec.find(token);
  return id ? static_cast<int>(*id) : -1;
}

val Generator::create_session() const { return session_handle(GenerationSession::create(batch_)); }

// Keeps the adapter under its name once it is complete.
class LoadingAdapter : Counted {
 public:
  LoadingAdapter(std::shared_ptr<const GeneratorModel> model, std::shared_ptr<AdapterStore> store, std::string name)
      : loader_(std::move(model)), store_(std::move(store)), name_(std::move(name)) {}

  val begin_file(const std::string& path, double total) {
    return outcome(loader_.begin_file(path, whole_number(total)));
  }
  val window(uint32_t bytes) { return window_.view(bytes); }
  val feed(uint32_t bytes) { return outcome(loader_.feed(window_.bytes(bytes))); }
  val end_file() { return outcome(loader_.end_file()); }
  val finish() {
    auto adapter = loader_.finish();
    if (!adapter) return failure(adapter.error());
    store_->add(name_, *std::move(adapter));
    return success();
  }

 private:
  AdapterLoader loader_;
  std::shared_ptr<AdapterStore> store_;
  std::string name_;
  Window window_;
};

val Generator::load_adapter(const std::string& name) const {
  return success(val(std::make_shared<LoadingAdapter>(model_, adapters_, name)));
}

val Generator::use_adapters(Session& session, const std::string& json) const {
  auto chosen = adapters_->chosen(json);
  return chosen ? session.use(*std::move(chosen)) : failure(chosen.error());
}

// Memory that the module can still allocate.
uint64_t available_memory() {
#ifdef __wasm64__
  // Everything except what models and sessions use. The rest is small.
  return emscripten_get_heap_max() - aligned_bytes;
#else
  // Free memory between allocations, plus what the memory may still grow by.
  return uint64_t{emmalloc_free_dynamic_memory()} + emmalloc_unclaimed_heap_memory();
#endif
}

class LoadingGenerator : Counted {
 public:
  // Invalid options are reported by the first call that can fail.
  explicit LoadingGenerator(const std::string& options) {
    auto request = read_generator_options(options);
    if (request) {
      loader_.emplace(request->options, request->format, available_memory());
    } else {
      refused_ = failure_of(std::move(request));
    }
  }

  val begin_file(const std::string& name, double total) {
    return loader_ ? outcome(loader_->begin_file(name, whole_number(total))) : outcome(refused_);
  }
  val window(uint32_t bytes) { return window_.view(bytes); }
  val feed(uint32_t bytes) { return loader_ ? outcome(loader_->feed(window_.bytes(bytes))) : outcome(refused_); }
  void choose_file(uint32_t file) {
    if (loader_) loader_->choose_file(file);
  }
  double headers_read() const { return loader_ ? static_cast<double>(loader_->headers_read()) : 0; }
  val end_file() { return loader_ ? outcome(loader_->end_file()) : outcome(refused_); }

  // The value is a handle that JavaScript must delete().
  val finish() {
    if (!loader_) return outcome(refused_);
    window_.release();
    auto loaded = loader_->finish();
    if (!loaded) return failure(loaded.error());
    const auto batch = std::make_shared<Batch>(std::move(*loaded));
    auto session = GenerationSession::create(batch);
    if (!session) return failure(session.error());
    warm_up(**session);
    return success(val(std::make_shared<Generator>(batch)));
  }

 private:
  std::optional<GeneratorLoader> loader_;
  Status refused_;
  Window window_;
};

}  // namespace

EMSCRIPTEN_BINDINGS(generator) {
  using namespace emscripten;
  class_<LoadingGenerator>("GeneratorLoader")
      .constructor<const std::string&>()
      .function("beginFile", &LoadingGenerator::begin_file)
      .function("window", &LoadingGenerator::window)
      .function("feed", &LoadingGenerator::feed)
      .function("chooseFile", &LoadingGenerator::choose_file)
      .function("headersRead", &LoadingGenerator::headers_read)
      .function("endFile", &LoadingGenerator::end_file)
      .function("finish", &LoadingGenerator::finish);
  class_<LoadingAdapter>("AdapterLoader")
      .smart_ptr<std::shared_ptr<LoadingAdapter>>("AdapterLoaderPointer")
      .function("beginFile", &LoadingAdapter::begin_file)
      .function("window", &LoadingAdapter::window)
      .function("feed", &LoadingAdapter::feed)
      .function("endFile", &LoadingAdapter::end_file)
      .function("finish", &LoadingAdapter::finish);
  class_<Generator>("Generator")
      .smart_ptr<std::shared_ptr<Generator>>("GeneratorPointer")
      .function("info", &Generator::info)
      .function("contextLength", &Generator::context_length)
      .function("vocabularySize", &Generator::vocabulary_size)
      .function("textWindow", &Generator::text_window)
      .function("tokenize", &Generator::tokenize)
      .function("detokenize", &Generator::detokenize)
      .function("token", &Generator::token)
      .function("chat", &Generator::chat)
      .function("encodeChat", &Generator::encode_chat)
      .function("vocabulary", &Generator::vocabulary)
      .function("find", &Generator::find)
      .function("createSession", &Generator::create_session)
      .function("step", &Generator::step)
      .function("loadAdapter", &Generator::load_adapter)
      .function("unloadAdapter", &Generator::unload_adapter)
      .function("useAdapters", &Generator::use_adapters);
}

}  // namespace quintet::js
