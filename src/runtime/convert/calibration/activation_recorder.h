#pragma once
// The observers of all activations of a network that static quantization gives a scale.

#include <memory>
#include <vector>

#include "base/result.h"
#include "models/resnet/observers.h"
#include "runtime/convert/calibration/observer.h"

namespace quintet {

class ActivationRecorder final : public resnet::ActivationObserver {
 public:
  explicit ActivationRecorder(ObserverKind kind) : kind_(kind) {}

  void observe(resnet::ActivationSite site, std::span<const float> values) override;
  // An error where an activation was infinite or no number.
  const Status& status() const { return status_; }

  // Of a site that was observed.
  ActivationQuantization entry(size_t index) const { return entries_[index]->quantization(); }
  ActivationQuantization conv(size_t index) const { return convs_[index]->quantization(); }
  ActivationQuantization linear(size_t index) const { return linears_[index]->quantization(); }

 private:
  using Observers = std::vector<std::unique_ptr<Observer>>;  // null where nothing was observed

  Observers& observers(resnet::ActivationSite::Kind kind);

  ObserverKind kind_;
  Observers entries_, convs_, linears_;
  Status status_;
};

}  // namespace quintet
