#include "runtime/convert/describing_files.h"

#include <utility>

#include "architectures/encoder/ranking_head.h"

namespace quintet {

Status DescribingFiles::end() {
  QUINTET_CHECK(FolderFiles::end());
  Status status = read_config();
  if (!status) return in_format(failure_of(std::move(status)), "huggingface");
  return {};
}

Status DescribingFiles::read_config() {
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
