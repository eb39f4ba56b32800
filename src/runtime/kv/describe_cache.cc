#include "runtime/kv/describe_cache.h"

#include <utility>

namespace quintet::kv {

Json describe(const CacheFile& file) {
  Json facts = Json::object();
  facts.append("layers", file.shape.layers);
  facts.append("kvHeads", file.shape.kv_heads);
  facts.append("positions", file.shape.positions);
  facts.append("headDim", file.shape.head_dim);
  facts.append("dtype", quintet::name_of(file.storage.dtype));
  facts.append("layout", name_of(file.storage.layout));
  facts.append("group", file.storage.group);
  facts.append("tokens", file.has_tokens());
  facts.append("dataBytes", data_bytes(file));
  return facts;
}

Json describe(const Quality& quality) {
  Json violations = Json::array();
  for (std::string& violation : quality.violations()) violations.push_back(std::move(violation));
  Json report = Json::object();
  report.append("rmse", quality.rmse);
  report.append("snr_db", quality.snr_db);
  report.append("cosine_similarity", quality.cosine_similarity);
  report.append("max_error", quality.max_error);
  report.append("quality_level", quality.level());
  report.append("violations", std::move(violations));
  return report;
}

}  // namespace quintet::kv
