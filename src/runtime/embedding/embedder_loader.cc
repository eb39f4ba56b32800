#include "runtime/embedding/embedder_loader.h"

#include <string>
#include <utility>

#include "architectures/encoder/ranking_head.h"
#include "architectures/encoder/static_embedding.h"
#include "formats/model_files.h"

namespace quintet {
namespace {

constexpr std::string_view kShards = "model.safetensors.index.json";

}  // namespace

EmbedderLoader::EmbedderLoader(const EmbedderOptions& options)
    : ModelFolderLoader(read_embedder_model, describing_, options.format),
      options_(options),
      sink_(options.attention_heads, options.to_int8, options.task) {}

std::string_view EmbedderLoader::describing_name(std::string_view path) const {
  return FolderFiles::takes(path) ? path : std::string_view();
}

// Returns the configuration of an encoder, or of a decoder that embeds; null if there is none.
const Json* EmbedderLoader::config_json() {
  const huggingface::Folder& folder = describing_.folder();
  return folder.encoder_config() ? folder.encoder_config() : folder.decoder_config();
}

Status EmbedderLoader::describing_file_ended() {
  is_sharded_ = is_sharded_ || describing_.name() == kShards;
  const Json* json = config_json();
  if (config_ || is_model2vec_ || !json) return {};
  is_model2vec_ = encoder::is_model2vec_json(*json);
  if (is_model2vec_) {
    // By default it does not.
    model2vec_normalizes_ = json->get("normalize").as_bool().value_or(false);
    return {};
  }
  auto read = read_encoder_config_json(*json);
  if (!read) return in_folder(failure_of(std::move(read)));
  config_ = *read;
  return {};
}

Status EmbedderLoader::describe() {
  if (is_model2vec_ || describing_.is_static()) {
    if (options_.task == EncoderTask::embed) return describe_static();
    return unsupported_error("static embeddings have no head that scores or labels texts");
  }
  if (!config_) return input_error(Reason::missing, "there is no config.json");
  const bool embeds = options_.task == EncoderTask::embed;
  QUINTET_TRY(sentence_, embeds ? describing_.sentence_config() : describing_.reranker_config());
  QUINTET_CHECK(read_head());
  QUINTET_CHECK(read_lora_json(*config_json(), options_.lora_task, *config_, *sentence_));
  QUINTET_CHECK(check_dense_widths(sentence_->dense, config_->vector_width(), "/config.json: in_features is "));
  dense_.resize(sentence_->dense.size());
  QUINTET_TRY(ModelDescription description, describing_.folder().describe_encoder());
  sink_.describe(std::move(description), *config_, *sentence_, is_sharded_);
  return {};
}

Status EmbedderLoader::read_head() {
  const Json& json = *config_json();
  if (is_classification(options_.task)) {
    QUINTET_TRY(config_->head, read_label_head_json(json, classified_by(options_.task), sentence_->labels));
  } else if (options_.task == EncoderTask::rank) {
    QUINTET_TRY(config_->head, read_ranking_head_json(json, sentence_->score_activation));
  } else if (sentence_->splade) {
    return read_mlm_head_json(json, *config_);
  } else if (!sentence_->pooling && !sentence_->late) {
    return check_no_ranking_head(json);
  }
  return {};
}

// A folder of model2vec may list its modules for sentence-transformers too.
Status EmbedderLoader::describe_static() {
  QUINTET_TRY(sentence_, describing_.sentence_config());
  if (is_model2vec_) {
    sentence_->pooling = Pooling::mean;
    sentence_->static_folder = "";
    sentence_->normalize = model2vec_normalizes_;
  }
  dense_.resize(sentence_->dense.size());
  QUINTET_TRY(ModelDescription description, describing_.folder().describe_tokenizer());
  description.format = Format::safetensors;
  description.architecture = is_model2vec_ ? "model2vec" : "static_embedding";
  description.metadata.append("name", description.architecture);
  static_sink_.emplace(options_.to_int8).describe(std::move(description), *sentence_, is_model2vec_);
  return {};
}

// A folder inside the model's has one module.
Status EmbedderLoader::begin_tensors(std::string_view path, std::optional<uint64_t> total) {
  if (!is_folder() && !options_.lora_task.empty()) {
    return input_error(Reason::mismatch, "task \"{}\": only folders of Hugging Face have tasks", options_.lora_task);
  }
  if (is_folder() && !sentence_) {
    if (Status status = describe(); !status) return in_folder(failure_of(std::move(status)));
    end_description();
  }
  const size_t slash = path.find_last_of('/');
  const std::string_view folder = path.substr(0, slash == path.npos ? 0 : slash);
  return folder == network_folder() ? begin_network(total) : begin_module(path, folder, total);
}

std::string_view EmbedderLoader::network_folder() const {
  if (!sentence_) return {};
  return is_static() ? *sentence_->static_folder : sentence_->network_folder;
}

Status EmbedderLoader::begin_network(std::optional<uint64_t> total) {
  QUINTET_CHECK(check_model_file(!is_static() && sink_.has_more_files()));
  if (!static_sink_) QUINTET_CHECK(check_dense());
  read_model_file(total, static_sink_ ? static_cast<ModelSink&>(*static_sink_) : sink_);
  return {};
}

Status EmbedderLoader::begin_module(std::string_view path, std::string_view folder, std::optional<uint64_t> total) {
  if (sentence_ && sentence_->query_weights == folder && !query_weights_) {
    read_file(Format::safetensors, total, query_weights_.emplace(config_->n_vocab));
    return {};
  }
  for (size_t i = 0; i < dense_.size(); ++i) {
    if (sentence_->dense[i].path != folder || dense_[i]) continue;
    dense_[i].emplace(sentence_->dense[i]);
    read_file(Format::safetensors, total, *dense_[i]);
    return {};
  }
  return input_error(Reason::mismatch, "{} is not a file of the model", path);
}

// The files of Dense modules come before those of the network.
Status EmbedderLoader::check_dense() const {
  for (size_t i = 0; i < dense_.size(); ++i) {
    if (dense_[i]) continue;
    return in_folder(input_error(Reason::missing, "{}/model.safetensors is missing, which modules.json needs",
                                 sentence_->dense[i].path));
  }
  return {};
}

Result<std::unique_ptr<TextEmbedder::Model>> EmbedderLoader::finish_model() {
  QUINTET_CHECK(finish_files());
  QUINTET_CHECK(check_dense());
  auto model = static_sink_ ? static_sink_->finish() : sink_.finish();
  if (!model) return is_folder() ? in_folder(failure_of(std::move(model))) : failure_of(std::move(model));
  for (auto& module : dense_) (*model)->dense.push_back(module->take());
  if (query_weights_) (*model)->query_weights = query_weights_->take();
  if ((*model)->sentence.query_weights && !query_weights_) {
    return in_folder(input_error(Reason::missing, "{}/model.safetensors is missing, which router_config.json needs",
                                 *(*model)->sentence.query_weights));
  }
  return model;
}

Result<std::unique_ptr<TextEmbedder>> EmbedderLoader::finish() {
  QUINTET_TRY(std::unique_ptr<TextEmbedder::Model> model, finish_model());
  return std::make_unique<TextEmbedder>(std::move(model));
}

}  // namespace quintet
