#pragma once
// What calibration learns of the activations that static quantization gives a scale.

#include <memory>
#include <span>
#include <vector>

#include "base/result.h"
#include "formats/layer_table.h"
#include "models/resnet/observers.h"
#include "runtime/convert/convert_options.h"

namespace quintet {

// What calibration learns of one activation.
class Observer {
 public:
  virtual ~Observer() = default;
  // Finite values.
  virtual void add(std::span<const float> values) = 0;
  virtual ActivationQuantization quantization() const = 0;
};

// min_max: nothing is clipped. histogram: the range with the least squared error, so that a few outliers do not coarsen
// all other values.
std::unique_ptr<Observer> make_observer(ObserverKind kind);

class ActivationRecorder final : public resnet::ActivationObserver {
 public:
  explicit ActivationRecorder(ObserverKind kind) : kind_(kind) {}

  void observe(resnet::ActivationSite site, std::span<const float> values) override;
  // An error if an activation was infinite or not a number.
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
