#include "runtime/convert/network_conversion.h"

namespace quintet {

Result<std::unique_ptr<Conversion>> NetworkConversion::create(SourceModel, const ConvertOptions&, ModelOutput&) {
  return unsupported_error("not yet");
}

}  // namespace quintet
