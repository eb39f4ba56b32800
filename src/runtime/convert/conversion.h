#pragma once
// A conversion once its source is described: it asks for the ranges of the source that it needs,
// one after another, and the output grows while they come.

#include <memory>
#include <optional>
#include <span>

#include "base/bytes.h"
#include "base/result.h"
#include "runtime/convert/model_output.h"
#include "runtime/convert/plan.h"
#include "runtime/convert/range.h"

namespace quintet {

class Conversion {
 public:
  virtual ~Conversion() = default;
  // The head of the output.
  virtual Status begin() = 0;
  // What is to be fed next; nothing when all was.
  virtual Result<std::optional<Range>> next_range() = 0;
  // The next bytes of that range, in pieces of any size.
  virtual Status feed(Bytes piece) = 0;
  virtual Status finish() = 0;

  // Static quantization, when all ranges were fed: images of 3 channels, normalised, of inputs that
  // the network can take.
  virtual bool wants_calibration() const { return false; }
  virtual uint32_t input_size() const { return 0; }
  virtual Status calibrate(std::span<const float> image, uint32_t height, uint32_t width);

  // The output is the caller's and outlives this.
  static Result<std::unique_ptr<Conversion>> create(const SourceModel& source, const ConvertOptions& options,
                                                    ModelOutput& output);
};

}  // namespace quintet
