#include "runtime/embedding/embedder_loader.h"

#include <string>
#include <utility>
#include <vector>

#include "architectures/encoder/ranking_head.h"
#include "architectures/encoder/static_embedding.h"
#include "architectures/model_files.h"
#include "base/byte_stream.h"
#include "base/task.h"
#include "runtime/embedding/embedder_sink.h"
#include "runtime/embedding/static_sink.h"
#include "runtime/model_folder/folder_files.h"
#include "runtime/model_folder/head_counter.h"

namespace quintet {
namespace {

constexpr std::string_view kShards = "model.safetensors.index.json";

// A file with tensors, while it is read.
struct ModelFile {
  ModelFile(std::optional<Format> format, std::optional<uint64_t> total, ModelSink& to, size_t& heads)
      : sink(to, heads), stream(total), parse(read_embedder_model(stream, format, sink, {})) {
    parse.start();
  }
  // Returns an error only once; no error while there is more to read.
  Status status() {
    if (!parse.done() || std::exchange(told, true)) return {};
    return parse.take();
  }

  HeadCounter sink;
  ByteStream stream;
  Parse<void> parse;
  bool told = false;
};

Failure in_folder(Error error) { return fail(in_format(std::move(error), "huggingface")); }

}  // namespace

struct EmbedderLoader::State {
  explicit State(const EmbedderOptions& with) : options(with), sink(with.attention_heads, with.to_int8, with.ranks) {}

  // Of an encoder, or of a decoder that embeds; null if there is none.
  const Json* config_json() {
    const huggingface::Folder& folder = describing.folder();
    return folder.encoder_config() ? folder.encoder_config() : folder.decoder_config();
  }
  bool is_static() const { return is_model2vec || (sentence && sentence->static_folder); }
  Status begin_weights(std::string_view path, size_t folder_size, std::optional<uint64_t> total);
  Status settle_static();
  Status check_dense() const;
  void begin_model_file(std::optional<Format> format, std::optional<uint64_t> total, ModelSink& to);

  Status end_describing_file();
  Status settle_folder();
  Status begin_network(std::optional<uint64_t> total);
  Status begin_dense(std::string_view path, std::string_view folder, std::optional<uint64_t> total);

  EmbedderOptions options;
  EmbedderSink sink;
  bool is_model2vec = false;              // as config.json says
  bool model2vec_normalizes = false;      // likewise
  std::optional<StaticSink> static_sink;  // in place of `sink`
  FolderFiles describing;
  bool is_folder = false;  // there were describing files
  bool is_sharded = false;
  std::optional<EncoderConfig> config;          // of the folder
  std::optional<SentenceConfig> sentence;       // likewise, once all describing files were read
  std::vector<std::optional<DenseSink>> dense;  // in the order of `sentence`
  size_t network_files = 0;
  size_t heads_read = 0;
  std::vector<std::unique_ptr<ModelFile>> files;  // null: a describing file, or one that has ended
  size_t chosen = 0;

  ModelFile* file() const { return chosen < files.size() ? files[chosen].get() : nullptr; }
};

EmbedderLoader::EmbedderLoader(const EmbedderOptions& options) : state_(std::make_unique<State>(options)) {}

EmbedderLoader::~EmbedderLoader() = default;

Status EmbedderLoader::begin_file(std::string_view path, std::optional<uint64_t> total) {
  State& state = *state_;
  state.chosen = state.files.size();
  state.files.push_back(nullptr);
  const size_t slash = path.find_last_of('/');
  if (!FolderFiles::takes(path)) {
    if (state.is_folder && !state.sentence) QUINTET_CHECK(state.settle_folder());
    return state.begin_weights(path, slash == path.npos ? 0 : slash, total);
  }
  if (state.sentence) {
    return input_error(Reason::malformed,
                       std::string(path) + " comes after the weights; files that describe the model must come first");
  }
  state.is_folder = true;
  state.is_sharded = state.is_sharded || path == kShards;
  state.describing.begin(path);
  return {};
}

// An unsupported model is rejected before its weights are read.
Status EmbedderLoader::State::end_describing_file() {
  QUINTET_CHECK(describing.end());
  const Json* json = config_json();
  if (config || is_model2vec || !json) return {};
  is_model2vec = encoder::is_model2vec_json(*json);
  if (is_model2vec) {
    // Its default is not to.
    model2vec_normalizes = json->get("normalize").as_bool().value_or(false);
    return {};
  }
  auto read = read_encoder_config_json(*json);
  if (!read) return in_folder(std::move(read).error());
  config = *read;
  return {};
}

Status EmbedderLoader::State::settle_folder() {
  if (is_model2vec || describing.is_static()) return settle_static();
  if (!config) return in_folder({.code = Code::input, .reason = Reason::missing, .detail = "there is no config.json"});
  auto settled = options.ranks ? describing.settle_reranker() : describing.settle_sentence();
  if (!settled) return in_folder(std::move(settled).error());
  sentence = *settled;
  if (!options.ranks && !sentence->pooling) {
    const Status status = check_no_ranking_head(*config_json());
    if (!status) return in_folder(status.error());
  }
  if (options.ranks) {
    auto head = read_ranking_head_json(*config_json(), sentence->score_activation);
    if (!head) return in_folder(std::move(head).error());
    config->head = *head;
  }
  const Status widths = check_dense_widths(sentence->dense, config->hidden, "/config.json: in_features is ");
  if (!widths) return in_folder(widths.error());
  dense.resize(sentence->dense.size());
  auto description = describing.folder().describe_encoder();
  if (!description) return in_folder(std::move(description).error());
  sink.describe(*std::move(description), *config, *sentence, is_sharded);
  return {};
}

// A folder of model2vec may list its modules for sentence-transformers too.
Status EmbedderLoader::State::settle_static() {
  auto settled = describing.settle_sentence();
  if (!settled) return in_folder(std::move(settled).error());
  sentence = *std::move(settled);
  if (is_model2vec) {
    sentence->pooling = Pooling::mean;
    sentence->static_folder = "";
    sentence->normalize = model2vec_normalizes;
  }
  dense.resize(sentence->dense.size());
  auto description = describing.folder().describe_tokenizer();
  if (!description) return in_folder(std::move(description).error());
  description->format = Format::safetensors;
  description->architecture = is_model2vec ? "model2vec" : "static_embedding";
  description->metadata.append("name", description->architecture);
  static_sink.emplace(options.to_int8).describe(*std::move(description), *sentence, is_model2vec);
  return {};
}

// A folder inside the model's has one module. `folder_size`: of its name, with which `path` begins.
Status EmbedderLoader::State::begin_weights(std::string_view path, size_t folder_size, std::optional<uint64_t> total) {
  const std::string_view folder = path.substr(0, folder_size);
  const std::string_view of_network = is_static() ? std::string_view(*sentence->static_folder) : std::string_view();
  return folder == of_network ? begin_network(total) : begin_dense(path, folder, total);
}

void EmbedderLoader::State::begin_model_file(std::optional<Format> format, std::optional<uint64_t> total,
                                             ModelSink& to) {
  files[chosen] = std::make_unique<ModelFile>(format, total, to, heads_read);
}

// Their files come before those of the network.
Status EmbedderLoader::State::check_dense() const {
  for (size_t i = 0; i < dense.size(); ++i) {
    if (dense[i]) continue;
    return in_folder({.code = Code::input,
                      .reason = Reason::missing,
                      .detail = sentence->dense[i].path + "/model.safetensors is missing, which modules.json needs"});
  }
  return {};
}

Status EmbedderLoader::State::begin_network(std::optional<uint64_t> total) {
  if (is_folder && options.format.value_or(Format::safetensors) != Format::safetensors) {
    return input_error(Reason::mismatch, "config.json and vocabulary can only be combined with a safetensors model");
  }
  if (network_files++ != 0 && (is_static() || !sink.has_more_files())) {
    return input_error(Reason::mismatch, "there are several models, but only one can be loaded");
  }
  if (static_sink) {
    begin_model_file(Format::safetensors, total, *static_sink);
    return {};
  }
  QUINTET_CHECK(check_dense());
  begin_model_file(is_folder ? Format::safetensors : options.format, total, sink);
  return {};
}

Status EmbedderLoader::State::begin_dense(std::string_view path, std::string_view folder,
                                          std::optional<uint64_t> total) {
  for (size_t i = 0; i < dense.size(); ++i) {
    if (sentence->dense[i].path != folder || dense[i]) continue;
    dense[i].emplace(sentence->dense[i]);
    begin_model_file(Format::safetensors, total, *dense[i]);
    return {};
  }
  return input_error(Reason::mismatch, std::string(path) + " is not a file of the model");
}

Status EmbedderLoader::feed(Bytes chunk) {
  ModelFile* const file = state_->file();
  if (!file) return state_->describing.feed(chunk);
  if (!file->parse.done()) file->stream.feed(chunk);
  return file->status();
}

Status EmbedderLoader::end_file() {
  State& state = *state_;
  ModelFile* const file = state.file();
  if (!file) return state.end_describing_file();
  if (!file->parse.done()) file->stream.end();
  const Status status = file->status();
  state.files[state.chosen].reset();
  return status;
}

void EmbedderLoader::choose_file(size_t file) { state_->chosen = file; }

size_t EmbedderLoader::heads_read() const { return state_->heads_read; }

Result<std::unique_ptr<TextEmbedder::Model>> EmbedderLoader::finish_model() {
  State& state = *state_;
  if (state.network_files == 0) return input_error(Reason::missing, "no model file was given");
  state.files.clear();
  QUINTET_CHECK(state.check_dense());
  auto model = state.static_sink ? state.static_sink->finish() : state.sink.finish();
  if (!model) return state.is_folder ? in_folder(std::move(model).error()) : fail(std::move(model).error());
  for (auto& module : state.dense) (*model)->dense.push_back(module->take());
  return model;
}

Result<std::unique_ptr<TextEmbedder>> EmbedderLoader::finish() {
  QUINTET_TRY(std::unique_ptr<TextEmbedder::Model> model, finish_model());
  return std::make_unique<TextEmbedder>(std::move(model));
}

}  // namespace quintet
