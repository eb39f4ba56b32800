#include "architectures/vision/towers.h"

#include <algorithm>
#include <string>
#include <utility>

namespace quintet::vision {
namespace {

struct TowerFamily {
  std::string_view model_type;
  std::string_view name;
  AddFamily* image;  // null: the model has no such tower
  AddFamily* text;
  bool is_pairwise;
};

constexpr TowerFamily kTowerFamilies[] = {
    {"clip", "CLIP", add_clip_image, add_clip_text, false},
    {"clip_vision_model", "CLIP", add_clip_image, nullptr, false},
    {"clip_text_model", "CLIP", nullptr, add_clip_text, false},
    {"siglip", "SigLIP", add_siglip_image, add_siglip_text, true},
    {"siglip_vision_model", "SigLIP", add_siglip_image, nullptr, true},
    {"siglip_text_model", "SigLIP", nullptr, add_siglip_text, true},
};

// Tensors of one tower only, and those that belong to both.
constexpr std::string_view kOfText[] = {"text_model.", "text_projection."};
constexpr std::string_view kOfImages[] = {"vision_model.", "visual_projection."};
constexpr std::string_view kOfBoth[] = {"logit_scale", "logit_bias"};

const TowerFamily* find_tower_family(std::string_view model_type) {
  for (const TowerFamily& family : kTowerFamilies) {
    if (family.model_type == model_type) return &family;
  }
  return nullptr;
}

// A model of one tower has the tower's configuration.
const Json& config_of(const Json& config, std::string_view tower) {
  const Json& inner = config.get(tower);
  return inner.is_null() ? config : inner;
}

Result<Graph> build_tower(const TowerFamily& family, AddFamily* add, const Json& config,
                          const std::vector<TensorInfo>& tensors) {
  const bool is_text = add == family.text;
  constexpr uint64_t kImageNetSize = 224, kMaxSize = 4096;
  const uint64_t size = config.get("image_size").as_uint().value_or(kImageNetSize);
  // open_clip's towers of timm, renamed (npm/src/image_embed/open_clip_tensors.ts).
  const std::string* const of_timm = is_text ? nullptr : config.get("architecture").as_string();
  GraphBuilder builder(tensors, of_timm ? "vision_model." : "", std::string(family.name),
                       static_cast<uint32_t>(std::min(size, kMaxSize)));
  for (const std::string_view other : is_text ? kOfImages : kOfText) builder.leave_out(other);
  for (const std::string_view both : kOfBoth) builder.leave_out(both);
  builder.ignore("position_ids");
  const NodeId vector = of_timm ? add_timm_tower(builder, {config.get("model_args"), *of_timm, false})
                                : add(builder, {config, family.model_type, false});
  return std::move(builder).finish(vector);
}

// Older files of CLIP have 2 as their end token, which their texts do not contain (modeling_clip.py,
// CLIPTextTransformer).
constexpr uint32_t kLegacyEnd = 2, kUsualEnd = 49407;

Result<std::optional<uint32_t>> end_token_in(const Json& config) {
  const Json* const said = config.find("eos_token_id");
  if (!said) return std::optional(kUsualEnd);
  const auto id = said->as_uint();
  if (!id || *id > UINT32_MAX) return format_error(Reason::malformed, 0, "config.json: eos_token_id is not a token id");
  return *id == kLegacyEnd ? std::nullopt : std::optional(static_cast<uint32_t>(*id));
}

// Texts of SigLIP are filled up with the token that tokenizer_config.json names, usually this one.
constexpr uint64_t kUsualPadding = 1;

Result<Towers> read_family(const TowerFamily& family, const Json& config, const std::vector<TensorInfo>& tensors,
                           TowerChoice choice) {
  Towers towers;
  towers.is_pairwise = towers.fills_texts = family.is_pairwise;
  if (choice == TowerChoice::image && !family.image) {
    return unsupported_error("a model of type {} has no image tower", family.model_type);
  }
  if (choice == TowerChoice::text && !family.text) {
    return unsupported_error("a model of type {} has no text tower", family.model_type);
  }
  if (family.image && choice != TowerChoice::text) {
    QUINTET_TRY(towers.image, build_tower(family, family.image, config_of(config, "vision_config"), tensors));
  }
  if (family.text && choice != TowerChoice::image) {
    const Json& of_text = config_of(config, "text_config");
    QUINTET_TRY(towers.text, build_tower(family, family.text, of_text, tensors));
    QUINTET_TRY(towers.end_token, end_token_in(of_text));
    const uint64_t padding = of_text.get("pad_token_id").as_uint().value_or(kUsualPadding);
    towers.padding = static_cast<uint32_t>(std::min<uint64_t>(padding, UINT32_MAX));
  }
  if (towers.image && towers.text) {
    const auto width = [](const Graph& graph) { return graph.nodes.back().channels; };
    if (width(*towers.image) != width(*towers.text)) {
      return format_error(Reason::mismatch, 0, "vectors of images have {} numbers, those of texts {}",
                          width(*towers.image), width(*towers.text));
    }
  }
  return towers;
}

}  // namespace

Result<Towers> read_towers(const Json& config, const std::vector<TensorInfo>& tensors, TowerChoice choice) {
  const std::string* const type = config.get("model_type").as_string();
  const TowerFamily* const family = find_tower_family(type ? std::string_view(*type) : "");
  if (family) return read_family(*family, config, tensors, choice);
  Towers towers;
  QUINTET_TRY(towers.image, read_graph(config, tensors));
  if (choice == TowerChoice::text) return unsupported_error("{} has no text tower", towers.image->family);
  return towers;
}

}  // namespace quintet::vision
