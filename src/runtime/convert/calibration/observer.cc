#include "runtime/convert/calibration/observer.h"

#include "runtime/convert/calibration/histogram.h"

namespace quintet {
namespace {

class MinMaxObserver final : public Observer {
 public:
  void add(std::span<const float> values) override {
    for (const float value : values) range_.include(value);
  }
  ActivationQuantization quantization() const override { return range_.quantization(); }

 private:
  ActivationRange range_;
};

class HistogramObserver final : public Observer {
 public:
  void add(std::span<const float> values) override { histogram_.add(values); }
  ActivationQuantization quantization() const override { return histogram_.best_range().quantization(); }

 private:
  Histogram histogram_;
};

}  // namespace

std::unique_ptr<Observer> make_observer(ObserverKind kind) {
  if (kind == ObserverKind::histogram) return std::make_unique<HistogramObserver>();
  return std::make_unique<MinMaxObserver>();
}

}  // namespace quintet
