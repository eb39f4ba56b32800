#pragma once
// Loads a network from the tensors of a file.

#include <memory>

#include "base/result.h"
#include "formats/model_sink.h"
#include "models/vision/pass.h"

namespace quintet::vision {

class NetworkLoader {
 public:
  virtual ~NetworkLoader() = default;
  // Returns the sink for the next tensor of the file; null if the network does not need it.
  virtual Result<std::unique_ptr<ByteSink>> tensor(const TensorArrival& tensor) = 0;
  // After the last tensor.
  virtual Result<std::unique_ptr<ImageNetwork>> finish() = 0;
};

}  // namespace quintet::vision
