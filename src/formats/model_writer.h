#pragma once
// Writes a model front to back: first its description, then the payloads of the tensors. The same model gives the same
// bytes.

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

  // The order in which the format stores tensors, as indices into `tensors`; where the format has no rule, the given
  // order. The description passed to begin() is in this order.
  virtual std::vector<size_t> tensor_order(const std::vector<TensorInfo>& tensors) const {
    std::vector<size_t> order(tensors.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = i;
    return order;
  }

  // Uses metadata, config, tokenizer, layers and flags of the description, and names, shapes, types and, for adaptive
  // tensors, `bytes` of the tensors. Fails for what the format cannot store. Appends the head of the file to `out`.
  // Fills in the positions and sizes of the tensors, as far as they are fixed beforehand, and the size of the file.
  virtual Status begin(ModelDescription& description, std::vector<std::byte>& out) = 0;
  // The tensor whose payload comes next, now with the parameters that depend on its values (Quantization::delta and so
  // on).
  virtual Status begin_tensor(const TensorInfo& info, std::vector<std::byte>& out) = 0;
  // The next bytes of the payload, in pieces of any size.
  virtual Status write(Bytes piece, std::vector<std::byte>& out) = 0;
  // After the last payload.
  virtual Status finish(std::vector<std::byte>& out) = 0;
};

// The base of all writers: checks that the tensors of the description come in its order, each with all of its bytes.
class OrderedWriter : public ModelWriter {
 public:
  Status begin_tensor(const TensorInfo& info, std::vector<std::byte>& out) final;
  Status write(Bytes piece, std::vector<std::byte>& out) final;
  Status finish(std::vector<std::byte>& out) final;

 protected:
  // In begin(): the tensors that come, with the sizes of their payloads.
  void expect(const std::vector<TensorInfo>& tensors) { tensors_ = tensors; }

  // Writes what precedes a payload. `placed`: as expected; `info`: of begin_tensor().
  virtual Status put_head(const TensorInfo& placed, const TensorInfo& info, std::vector<std::byte>& out) = 0;
  // Writes the next bytes of the payload.
  virtual void put_payload(Bytes piece, std::vector<std::byte>& out) = 0;
  // Writes the bytes after a payload.
  virtual void put_tail(std::vector<std::byte>&) {}
  // Writes the bytes after the last tensor.
  virtual Status put_end(std::vector<std::byte>& out) = 0;

  static Failure unannounced();

 private:
  std::vector<TensorInfo> tensors_;
  size_t next_ = 0;       // the next tensor
  uint64_t missing_ = 0;  // bytes of the current payload
};

}  // namespace quintet
