#pragma once
// Where converted tensors go, one after another.

#include "base/bytes.h"
#include "base/result.h"
#include "formats/model_description.h"

namespace quintet {

class TensorOutput {
 public:
  virtual ~TensorOutput() = default;
  // The tensor whose data comes next; name, type and shape count.
  virtual Status begin_tensor(const TensorInfo& info) = 0;
  virtual Status write(Bytes data) = 0;
};

}  // namespace quintet
