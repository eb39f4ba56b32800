#include "runtime/image_network/image_folder_files.h"

#include <string>
#include <utility>

#include "formats/huggingface/image_preparation.h"

namespace quintet {
namespace {

constexpr std::string_view kConfig = "config.json", kPreprocessor = "preprocessor_config.json";

}  // namespace

Status ImageFolderFiles::add(std::string_view text) { return add_file(name(), text); }

Status ImageFolderFiles::add_metadata(const Json& metadata) {
  if (!config_.is_null()) return {};
  for (const std::string_view name : {kConfig, kPreprocessor}) {
    const std::string* const text = metadata.get(name).as_string();
    if (text) QUINTET_CHECK(add_file(name, *text));
  }
  return {};
}

Status ImageFolderFiles::add_file(std::string_view name, std::string_view text) {
  if (name != kConfig && name != kPreprocessor) return {};
  auto json = parse_json(text);
  if (!json) {
    json.error().detail = formatted("{}: {}", name, json.error().detail);
    return failure_of(std::move(json));
  }
  if (!json->as_object()) return format_error(Reason::malformed, 0, "{}: not an object", name);
  (name == kConfig ? config_ : preprocessor_) = *std::move(json);
  return {};
}

Result<Preparation> ImageFolderFiles::preparation(uint32_t input_size) const {
  if (!preprocessor_.is_null()) {
    const std::string* const type = config_.get("model_type").as_string();
    return huggingface::read_preprocessor_config(preprocessor_, type ? std::string_view(*type) : "");
  }
  if (!config_.get("pretrained_cfg").is_null()) return huggingface::read_pretrained_cfg(config_);
  return Preparation::for_size(input_size);
}

}  // namespace quintet
