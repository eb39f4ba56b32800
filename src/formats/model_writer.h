#pragma once
// Writing a model front to back: its description first, then the tensors' payloads one after
// another. The same model gives the same bytes.

#include <cstddef>
#include <memory>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "formats/model_description.h"

namespace quintet {

class ModelWriter {
 public:
  virtual ~ModelWriter() = default;

  // The order in which the format keeps tensors, as indices into `tensors`; what it leaves open
  // stays as given. The description that begin() gets is in this order.
  virtual std::vector<size_t> tensor_order(const std::vector<TensorInfo>& tensors) const {
    std::vector<size_t> order(tensors.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = i;
    return order;
  }

  // Of the description metadata, config, tokenizer, layers and flags count, and of the tensors
  // names, shapes, types and, of adaptive ones, `bytes`; what the format cannot hold is an error.
  // Appends the head of the file to `out`. Fills in the tensors' places and sizes, as far as the
  // format fixes them beforehand, and the file's size.
  virtual Status begin(ModelDescription& description, std::vector<std::byte>& out) = 0;
  // The tensor whose payload comes next, now with the parameters that its values gave
  // (Quantization::delta and so on).
  virtual Status begin_tensor(const TensorInfo& info, std::vector<std::byte>& out) = 0;
  // The next bytes of the payload, in pieces of any size.
  virtual Status write(Bytes piece, std::vector<std::byte>& out) = 0;
  // After the last payload.
  virtual Status finish(std::vector<std::byte>& out) = 0;
};

}  // namespace quintet
