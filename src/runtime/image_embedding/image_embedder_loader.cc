#include "runtime/image_embedding/image_embedder_loader.h"

#include <cmath>
#include <string>
#include <utility>

#include "formats/huggingface/siglip_tokenizer.h"
#include "formats/model_files.h"
#include "kernels/registry.h"
#include "models/tensor_sinks.h"
#include "models/vision/quantized_linear.h"

namespace quintet {
namespace {

constexpr std::string_view kTokenizerFiles[] = {"tokenizer.json", "tokenizer_config.json", "special_tokens_map.json"};
constexpr std::string_view kScale = "logit_scale", kBias = "logit_bias";

bool is_tokenizer_file(std::string_view name) {
  return std::ranges::find(kTokenizerFiles, name) != std::end(kTokenizerFiles);
}

// Files without weights: those above, those of the networks, and others that are not needed.
bool is_text(std::string_view path) {
  return path.ends_with(".json") || path.ends_with(".txt") || path == huggingface::kSiglipPieces;
}

// Gemma's tokenizer, which SigLIP 2 uses, keeps capitals; the model was trained with lower case (Siglip2Tokenizer of
// transformers).
bool lowers_texts(const Json& config, const Json& tokenizer_config) {
  const std::string* const type = config.get("model_type").as_string();
  const std::string* const tokenizer = tokenizer_config.get("tokenizer_class").as_string();
  return type && type->starts_with("siglip") && tokenizer &&
         (tokenizer->starts_with("Gemma") || tokenizer->starts_with("Siglip2"));
}

// open_clip has this setting for the tokenizers of SigLIP.
bool is_canonical(const Json& config) {
  const std::string* const clean = config.get("text_config").get("tokenizer_kwargs").get("clean").as_string();
  return clean && *clean == "canonicalize";
}

}  // namespace

Status TowerFolderFiles::add(std::string_view text) {
  if (name() == huggingface::kSiglipPieces) {
    pieces_ = text;
    return {};
  }
  if (!is_tokenizer_file(name())) return ImageFolderFiles::add(text);
  has_tokenizer_ = has_tokenizer_ || name() == kTokenizerFiles[0];
  return tokenizer_.add(name(), text);
}

Result<ModelDescription> TowerFolderFiles::describe_tokenizer() {
  ModelDescription description;
  if (has_tokenizer_) {
    if (lowers_texts(config(), tokenizer_.tokenizer_config())) tokenizer_.lower_texts();
    QUINTET_TRY(description, tokenizer_.describe_subword_tokenizer());
  } else {
    QUINTET_TRY(description.tokenizer, huggingface::read_siglip_tokenizer(*pieces_));
  }
  if (is_canonical(config())) huggingface::canonicalize_texts(description.tokenizer);
  return description;
}

ImageEmbedderLoader::ImageEmbedderLoader(const ImageEmbedderOptions& options)
    : ModelFolderLoader(read_image_embedder_model, describing_, options.format), sink_(describing_, options) {}

std::string_view ImageEmbedderLoader::describing_name(std::string_view path) const {
  return is_text(path) ? path : std::string_view();
}

Status ImageEmbedderLoader::begin_tensors(std::string_view, std::optional<uint64_t> total) {
  QUINTET_CHECK(check_model_file(false));
  if (is_folder()) end_description();
  read_model_file(total, sink_);
  return {};
}

Result<std::unique_ptr<ImageEmbedder>> ImageEmbedderLoader::finish() {
  QUINTET_CHECK(finish_files());
  auto embedder = sink_.finish();
  if (!embedder && is_folder()) return in_folder(failure_of(std::move(embedder)));
  return embedder;
}

Status ImageEmbedderLoader::Sink::begin(const ModelDescription& description) {
  const Kernels& kernels = active_kernels<KernelSet::graph>();
  QUINTET_CHECK(describing_.add_metadata(description.metadata));
  QUINTET_TRY(towers_, vision::read_towers(describing_.config(), description.tensors, options_.towers));
  family_ = (towers_.image ? towers_.image : towers_.text)->family;
  vision::MakeLayer* const make_layer = options_.to_int8 ? vision::quantized_linear : nullptr;
  const auto load = [&](std::optional<vision::Graph>& graph, std::optional<vision::GraphLoader>& loader) {
    if (graph) loader.emplace(kernels, *std::move(graph), description.tensors, make_layer);
  };
  load(towers_.image, image_);
  load(towers_.text, text_);
  return {};
}

Result<std::unique_ptr<ByteSink>> ImageEmbedderLoader::Sink::tensor(const TensorArrival& tensor) {
  for (auto* const tower : {&image_, &text_}) {
    if (!*tower) continue;
    QUINTET_TRY(std::unique_ptr<ByteSink> sink, (*tower)->tensor(tensor));
    if (sink) return sink;
  }
  const bool is_number = tensor.info.elements() == 1;
  if (is_number && tensor.info.name == kScale) return tensor_sink<SourceTypes::plain>(tensor, scale_);
  if (is_number && tensor.info.name == kBias) return tensor_sink<SourceTypes::plain>(tensor, bias_);
  return nullptr;
}

Status ImageEmbedderLoader::Sink::end(ModelDescription description) {
  description_ = std::move(description);
  return {};
}

Result<TextTower> ImageEmbedderLoader::Sink::text_tower() {
  QUINTET_TRY(std::unique_ptr<vision::ImageNetwork> network, text_->finish());
  TextTower tower = {.network = NetworkRun(std::move(network)),
                     .tokenizer = {},
                     .fills_texts = towers_.fills_texts,
                     .end_token = towers_.end_token,
                     .padding = towers_.padding};
  if (!describing_.has_tokenizer()) return tower;
  QUINTET_TRY(ModelDescription description, describing_.describe_tokenizer());
  QUINTET_TRY(tower.tokenizer, StandaloneTokenizer::create(std::move(description), create_subword_tokenizer));
  const std::string* const padding = describing_.tokenizer().tokenizer_config().get("pad_token").as_string();
  if (padding) tower.padding = tower.tokenizer->codec().find(*padding).value_or(tower.padding);
  return tower;
}

Result<SimilarityRule> ImageEmbedderLoader::Sink::similarity() const {
  SimilarityRule rule = {.is_pairwise = towers_.is_pairwise};
  if (scale_.size() != 0) rule.scale = std::exp(scale_[0]);
  if (bias_.size() != 0) rule.bias = bias_[0];
  if (std::isfinite(rule.scale) && std::isfinite(rule.bias)) return rule;
  return fail(Code::format, Reason::out_of_range, "logit_scale or logit_bias is not finite");
}

Result<std::unique_ptr<ImageEmbedder>> ImageEmbedderLoader::Sink::finish() {
  if (!description_) return input_error(Reason::missing, "no model file was given");
  ImageEmbedder::Parts parts = {.description = *std::move(description_), .image = {}, .text = {}, .similarity = {}};
  parts.description.architecture = family_;
  if (image_) {
    QUINTET_TRY(std::unique_ptr<vision::ImageNetwork> network, image_->finish());
    QUINTET_TRY(const Preparation preparation, describing_.preparation(network->usual_input_size()));
    parts.image.emplace(std::move(network), preparation);
  }
  if (text_) {
    QUINTET_TRY(parts.text, text_tower());
  }
  QUINTET_TRY(parts.similarity, similarity());
  return std::make_unique<ImageEmbedder>(std::move(parts));
}

}  // namespace quintet
