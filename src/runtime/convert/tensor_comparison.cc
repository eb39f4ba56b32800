#include "runtime/convert/tensor_comparison.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace quintet {

void TensorComparison::add(std::span<const float> actual) {
  for (const float value : actual) {
    const float expected =
        compared_ < expected_.size() ? expected_[compared_] : std::numeric_limits<float>::quiet_NaN();
    const bool surplus = compared_++ >= expected_.size();
    // Values that are not finite have no place in a cosine.
    const bool same = value == expected || (std::isnan(value) && std::isnan(expected) && !surplus);
    if (same && !std::isfinite(value)) continue;
    const double difference = same ? 0 : std::fabs(double{value} - double{expected});
    // Written so that a NaN counts.
    if (!(difference <= max_error_))
      max_error_ = std::isnan(difference) ? std::numeric_limits<double>::infinity() : difference;
    product_ += double{value} * double{expected};
    expected_square_ += double{expected} * double{expected};
    actual_square_ += double{value} * double{value};
  }
}

TensorError TensorComparison::result() const {
  TensorError error{.tensor = tensor_, .max_error = max_error_};
  if (compared_ != expected_.size()) error.max_error = std::numeric_limits<double>::infinity();
  if (expected_square_ == 0 && actual_square_ == 0) return error;
  const double cosine = product_ / std::sqrt(expected_square_ * actual_square_);
  error.cosine = std::isfinite(cosine) ? std::min(cosine, 1.0) : 0;
  return error;
}

}  // namespace quintet
