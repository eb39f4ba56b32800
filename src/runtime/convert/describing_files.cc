#include "runtime/convert/describing_files.h"

#include <utility>

#include "architectures/encoder/ranking_head.h"

namespace quintet {
namespace {

constexpr std::string_view kConfig = "config.json", kPreprocessor = "preprocessor_config.json";

bool describes_image_network(const Json& config) {
  if (config.get("architecture").as_string() && config.get("pretrained_cfg").as_object()) return true;
  const Json::Array* const classes = config.get("architectures").as_array();
  const std::string* const name = classes && !classes->empty() ? classes->front().as_string() : nullptr;
  return name && name->find("ForImageClassification") != std::string::npos;
}

}  // namespace

Status DescribingFiles::end() {
  QUINTET_CHECK(FolderFiles::end());
  Status status = read_config();
  if (!status) return in_format(failure_of(std::move(status)), "huggingface");
  return {};
}

Status DescribingFiles::add(std::string_view text) {
  QUINTET_CHECK(FolderFiles::add(text));
  if (name() != kConfig && name() != kPreprocessor) return {};
  texts_.set(name(), text);
  const Json* const config = folder().encoder_config() ? folder().encoder_config() : folder().decoder_config();
  is_image_network_ = config && describes_image_network(*config);
  return {};
}

Status DescribingFiles::read_config() {
  if (is_image_network_) return {};
  if (const Json* config = encoder_ ? nullptr : folder().encoder_config()) {
    QUINTET_TRY(encoder_, read_encoder_config_json(*config));
    head_ = check_no_ranking_head(*config);
  }
  if (const Json* config = decoder_ ? nullptr : folder().decoder_config()) {
    QUINTET_TRY(decoder_, read_huggingface_config(*config));
  }
  return {};
}

}  // namespace quintet
