#include "runtime/convert/conversion.h"

#include <utility>

#include "runtime/convert/network_conversion.h"
#include "runtime/convert/streamed_conversion.h"

namespace quintet {
namespace {

Result<std::unique_ptr<Conversion>> create_for(const SourceModel& source, const ConvertOptions& options,
                                               ModelOutput& output) {
  if (held_whole(source, options)) return NetworkConversion::create(source, options, output);
  QUINTET_TRY(Plan plan, plan_conversion(source, options));
  plan.description.format = options.to;
  return std::make_unique<StreamedConversion>(std::move(plan), output);
}

}  // namespace

Status Conversion::calibrate(std::span<const float>, uint32_t, uint32_t) {
  return input_error(Reason::mismatch, "images calibrate a static quantization only");
}

Result<std::unique_ptr<Conversion>> Conversion::create(const SourceModel& source, const ConvertOptions& options,
                                                       ModelOutput& output) {
  auto conversion = create_for(source, options, output);
  if (conversion || conversion.error().code != Code::format) return conversion;
  return fail(in_format(std::move(conversion).error(), name_of(source.description.format)));
}

}  // namespace quintet
