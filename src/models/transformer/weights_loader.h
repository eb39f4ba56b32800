#pragma once
// Receives the tensors of a transformer from any reader and passes each to its place while its bytes arrive, so that
// the weights are in memory only once. A subclass knows the parts of its model, and the forms in which they are stored.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "architectures/transformer/config.h"
#include "architectures/transformer/tensor_order.h"
#include "architectures/transformer/tensor_schema.h"
#include "formats/model_sink.h"

namespace quintet::transformer {

class WeightsLoader {
 public:
  // Returns the sink for an announced tensor, or null if the model has no use for it. FORMAT (duplicate) for a second
  // tensor of the same part.
  Result<std::unique_ptr<ByteSink>> tensor(const TensorArrival& tensor);

 protected:
  // Decided when a tensor is announced.
  struct Slot {
    TensorRef ref;
    TensorOrder order;
    uint64_t experts = 1;  // whose matrices it has, one after another

    // One expert's part, or all of any other tensor: as it is in the file, and with its rows as they are used.
    TensorInfo part(const TensorInfo& info) const;
    TensorInfo rows(const TensorInfo& info) const;
  };

  ~WeightsLoader() = default;
  // Announces a tensor. Returns null if the model has no use for it. FORMAT for experts that the model does not have.
  Result<const Slot*> add(const TensorInfo& info);
  // Null if the model has no use for the tensor.
  const Slot* slot_of(std::string_view name) const {
    const auto found = slots_.find(name);
    return found == slots_.end() ? nullptr : &found->second;
  }
  void clear() { slots_.clear(); }

 private:
  class ExpertsSink;
  virtual const TransformerConfig& config() const = 0;
  virtual std::optional<TensorRef> ref_of(const TensorInfo& info) const = 0;
  virtual TensorOrder order_of(const TensorRef& ref) const = 0;
  // The sink for rows in the order in which they are used. A matrix is that of one expert, if it is an expert's.
  virtual Result<std::unique_ptr<ByteSink>> place(const TensorArrival& rows, const TensorRef& ref) = 0;

  Result<std::unique_ptr<ByteSink>> part_sink(const TensorArrival& tensor, const Slot& slot);

  std::map<std::string, Slot, std::less<>> slots_;  // by the name of the tensor
};

Failure second_tensor(const TensorInfo& info);

}  // namespace quintet::transformer
