#include "runtime/convert/calibration/activation_recorder.h"

#include <string>

#include "runtime/convert/calibration/histogram.h"
#include "tensor/finite.h"

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

ActivationRecorder::Observers& ActivationRecorder::observers(resnet::ActivationSite::Kind kind) {
  switch (kind) {
    case resnet::ActivationSite::Kind::conv:
      return convs_;
    case resnet::ActivationSite::Kind::linear:
      return linears_;
    case resnet::ActivationSite::Kind::entry:
      break;
  }
  return entries_;
}

void ActivationRecorder::observe(resnet::ActivationSite site, std::span<const float> values) {
  if (!status_) return;
  if (!all_finite(values)) {
    const char* const what = site.kind == resnet::ActivationSite::Kind::conv     ? "convolution "
                             : site.kind == resnet::ActivationSite::Kind::linear ? "linear layer "
                                                                                 : "activation ";
    status_ =
        input_error(Reason::out_of_range, what + std::to_string(site.index) +
                                              " gives values that are not finite; such a network cannot be quantized");
    return;
  }
  Observers& list = observers(site.kind);
  if (list.size() <= site.index) list.resize(site.index + 1);
  std::unique_ptr<Observer>& observer = list[site.index];
  if (observer == nullptr) observer = make_observer(kind_);
  observer->add(values);
}

}  // namespace quintet
