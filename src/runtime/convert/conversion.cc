#include "runtime/convert/conversion.h"

#include <utility>

#include "runtime/convert/network_conversion.h"
#include "runtime/convert/streamed_conversion.h"

namespace quintet {

Status Conversion::calibrate(std::span<const float>, uint32_t, uint32_t) {
  return input_error(Reason::mismatch, "images calibrate a static quantization only");
}

Result<std::unique_ptr<Conversion>> Conversion::create(SourceModel source, const ConvertOptions& options,
                                                       ModelOutput& output) {
  if (source.family == Family::network && options.to == Format::tinyruntime) {
    return NetworkConversion::create(source, options, output);
  }
  QUINTET_TRY(Plan plan, plan_conversion(source, options));
  plan.description.format = options.to;
  return std::make_unique<StreamedConversion>(std::move(plan), output);
}

}  // namespace quintet
