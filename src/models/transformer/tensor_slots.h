#pragma once
// The tensors of a transformer that were announced: their roles, and the order of their values. A subclass knows the
// parts of its model.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "architectures/transformer/config.h"
#include "architectures/transformer/tensor_order.h"
#include "architectures/transformer/tensor_schema.h"
#include "formats/model_sink.h"

namespace quintet::transformer {

class TensorSlots {
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

  ~TensorSlots() = default;
  // Announces a tensor. Returns null if the model has no use for it. FORMAT for experts that the model does not have.
  Result<const Slot*> add(const TensorInfo& info);
  // Null if the model has no use for the tensor.
  const Slot* slot_of(std::string_view name) const {
    const auto found = slots_.find(name);
    return found == slots_.end() ? nullptr : &found->second;
  }
  void clear() { slots_.clear(); }

 private:
  virtual const TransformerConfig& config() const = 0;
  virtual std::optional<TensorRef> ref_of(const TensorInfo& info) const = 0;
  virtual TensorOrder order_of(const TensorRef& ref) const = 0;

  std::map<std::string, Slot, std::less<>> slots_;  // by the name of the tensor
};

}  // namespace quintet::transformer
