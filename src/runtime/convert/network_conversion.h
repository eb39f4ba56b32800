#pragma once
// Conversion of a ResNet to tinyRuntime. Its tables tell scales that only the values give, so that the network is held whole.

#include <memory>

#include "runtime/convert/conversion.h"

namespace quintet {

class NetworkConversion {
 public:
  static Result<std::unique_ptr<Conversion>> create(SourceModel source, const ConvertOptions& options, ModelOutput& output);
};

}  // namespace quintet
