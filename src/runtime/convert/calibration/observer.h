#pragma once
// What calibration learns of one activation.

#include <memory>
#include <span>

#include "base/result.h"
#include "formats/layer_table.h"
#include "runtime/convert/convert_options.h"

namespace quintet {

class Observer {
 public:
  virtual ~Observer() = default;
  // Finite values.
  virtual void add(std::span<const float> values) = 0;
  virtual ActivationQuantization quantization() const = 0;
};

// min_max: nothing is clipped. histogram: the range of least squared error; a few far values do not
// coarsen all others.
std::unique_ptr<Observer> make_observer(ObserverKind kind);

}  // namespace quintet
