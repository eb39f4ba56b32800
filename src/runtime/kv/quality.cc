#include "runtime/kv/quality.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace quintet::kv {
namespace {

using decoder::KvCache;

// Compares the values of one tensor with their approximation.
class TensorSums {
 public:
  void add(double original, double other) {
    // The variance is summed relative to the first value: relative to zero, the digits of a large mean would hide a
    // small variance.
    if (count_ == 0) origin_ = original;
    const double shifted = original - origin_;
    const double error = other - original;
    ++count_;
    shifted_ += shifted;
    shifted_square_ += shifted * shifted;
    error_square_ += error * error;
    original_square_ += original * original;
    other_square_ += other * other;
    product_ += original * other;
    max_error_ = std::max(max_error_, std::fabs(error));
  }

  void add_to(Quality& sums) const {
    const double mse = error_square_ / std::max(count_, 1.0);
    sums.rmse += std::sqrt(mse);
    sums.snr_db += snr_db(mse);
    sums.cosine_similarity += cosine();
    sums.max_error = std::max(sums.max_error, max_error_);
  }

 private:
  double snr_db(double mse) const {
    if (mse == 0) return std::numeric_limits<double>::infinity();
    const double mean = shifted_ / count_;
    const double variance = shifted_square_ / count_ - mean * mean;
    // Zero is replaced by the smallest number before taking the logarithm.
    return 10 * (std::log10(std::max(variance, std::numeric_limits<double>::min())) - std::log10(mse));
  }

  double cosine() const {
    if (original_square_ == 0 && other_square_ == 0) return 1;
    if (original_square_ == 0 || other_square_ == 0) return 0;
    return std::clamp(product_ / (std::sqrt(original_square_) * std::sqrt(other_square_)), -1.0, 1.0);
  }

  double count_ = 0;
  double origin_ = 0;
  double shifted_ = 0, shifted_square_ = 0;
  double error_square_ = 0, original_square_ = 0, other_square_ = 0, product_ = 0;
  double max_error_ = 0;
};

TensorSums sums_of(const KvCache& original, const KvCache& other, size_t layer, KvCache::Part part) {
  const KvRowLayout& row = original.shape().row_of(layer, part);
  const KvRowLayout& other_row = other.shape().row_of(layer, part);
  std::vector<float> expected(row.head_dim), actual(row.head_dim);
  TensorSums sums;
  for (size_t head = 0; head < original.shape().kv_heads_of(layer); ++head) {
    for (size_t position = 0; position < original.length(); ++position) {
      decode_kv_row(row, original.row(layer, head, part, position), expected.data());
      decode_kv_row(other_row, other.row(layer, head, part, position), actual.data());
      for (size_t i = 0; i < expected.size(); ++i) sums.add(double{expected[i]}, double{actual[i]});
    }
  }
  return sums;
}

std::string text_of(const KvCache& cache) {
  const KvCache::Shape& shape = cache.shape();
  const size_t sizes[] = {shape.layers, shape.kv_heads, cache.length(), shape.row.head_dim};
  std::string text;
  for (const size_t size : sizes) text += formatted("{}{}", text.empty() ? "[" : ", ", size);
  return text + "]";
}

// Whether each layer has keys of the same size.
bool have_same_heads(const KvCache::Shape& a, const KvCache::Shape& b) {
  for (size_t layer = 0; layer < a.layers; ++layer) {
    const bool is_same = a.has_rows(layer) == b.has_rows(layer) && a.kv_heads_of(layer) == b.kv_heads_of(layer) &&
                         a.row_of(layer, KvCache::Part::key).head_dim == b.row_of(layer, KvCache::Part::key).head_dim;
    if (!is_same) return false;
  }
  return true;
}

// Limits of the report, which a value must be below or above.
constexpr double kMaxRmse = 0.10, kMaxError = 0.50, kMinCosine = 0.99, kMinSnr = 18;

// Four decimals, rounded away from the limit so that the text never equals that of the limit.
std::string violation(std::string_view name, double value, bool too_large, double limit) {
  constexpr double kUnits = 1e4;
  const double shown = (too_large ? std::ceil(value * kUnits) : std::floor(value * kUnits)) / kUnits;
  return formatted("{} {}{}{}", name, write_json(shown), too_large ? " >= " : " <= ", write_json(limit));
}

}  // namespace

std::vector<std::string> Quality::violations() const {
  std::vector<std::string> missed;
  if (!(rmse < kMaxRmse)) missed.push_back(violation("RMSE", rmse, true, kMaxRmse));
  if (!(max_error < kMaxError)) missed.push_back(violation("max error", max_error, true, kMaxError));
  if (!(cosine_similarity > kMinCosine)) {
    missed.push_back(violation("cosine similarity", cosine_similarity, false, kMinCosine));
  }
  if (!(snr_db > kMinSnr)) missed.push_back(violation("SNR in dB", snr_db, false, kMinSnr));
  return missed;
}

std::string_view Quality::level() const {
  if (rmse < 0.01 && snr_db > 40) return "EXCELLENT";
  if (rmse < 0.05 && snr_db > 30) return "GOOD";
  if (rmse < kMaxRmse && snr_db > kMinSnr) return "ACCEPTABLE";
  return "POOR";
}

Result<Quality> compare(const KvCache& original, const KvCache& other) {
  const std::string shape = text_of(original), other_shape = text_of(other);
  if (shape != other_shape || !have_same_heads(original.shape(), other.shape())) {
    return input_error(
        Reason::mismatch,
        "caches of different shapes cannot be compared: layers, heads, positions and values per head are {} and {}",
        shape, other_shape);
  }
  Quality quality;
  double tensors = 0;
  for (size_t layer = 0; layer < original.shape().layers; ++layer) {
    if (!original.shape().has_rows(layer)) continue;
    tensors += 2;
    sums_of(original, other, layer, KvCache::Part::key).add_to(quality);
    sums_of(original, other, layer, KvCache::Part::value).add_to(quality);
  }
  if (tensors == 0) return input_error(Reason::missing, "the caches have states alone, which are not compressed");
  quality.rmse /= tensors;
  quality.snr_db /= tensors;
  quality.cosine_similarity /= tensors;
  return quality;
}

Json describe(const CacheFile& file) {
  Json facts = Json::object();
  facts.append("layers", file.layers_with_rows());
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
