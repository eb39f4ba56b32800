#include "runtime/convert/converter.h"

#include <utility>

namespace quintet {
namespace {

Failure not_planned() { return input_error(Reason::missing, "a conversion needs a model file first"); }

}  // namespace

Status Converter::plan() {
  QUINTET_TRY(const SourceModel source, files_.describe());
  QUINTET_TRY(conversion_, Conversion::create(source, options_, output_));
  return conversion_->begin();
}

std::optional<Range> Converter::next_range() {
  if (!conversion_ || failure_) return std::nullopt;
  auto range = conversion_->next_range();
  if (range) return *range;
  failure_ = std::move(range).error();
  return std::nullopt;
}

Status Converter::calibrate(std::span<const float> image, uint32_t height, uint32_t width) {
  if (!conversion_) return not_planned();
  return conversion_->calibrate(image, height, width);
}

Status Converter::finish() {
  if (failure_) return fail(*failure_);
  return conversion_ ? conversion_->finish() : not_planned();
}

}  // namespace quintet
