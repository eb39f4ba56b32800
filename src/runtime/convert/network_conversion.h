#pragma once
// Conversion to tinyRuntime. The whole network is held in memory, because batch norms are folded into
// convolutions, and the table of a quantized file starts with scales that depend on the values.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "architectures/vision/checkpoint.h"
#include "runtime/convert/calibration/calibrator.h"
#include "runtime/convert/conversion.h"
#include "runtime/convert/float_network.h"
#include "tensor/codecs/payload.h"

namespace quintet {

// Whether a conversion holds its whole network in memory. Only copying a tinyRuntime file does not.
bool held_whole(const SourceModel& source, const ConvertOptions& options);

class NetworkConversion final : public Conversion {
 public:
  static Result<std::unique_ptr<Conversion>> create(const SourceModel& source, const ConvertOptions& options,
                                                    ModelOutput& output);

  NetworkConversion(FloatNetwork network, const ConvertOptions& options, ModelOutput& output)
      : network_(std::move(network)), options_(options), output_(output) {}

  // The head of the file contains scales, so it is written once the values are known.
  Status begin() override { return {}; }
  Result<std::optional<Range>> next_range() override;
  Status feed(Bytes piece) override { return network_.feed(piece); }
  bool wants_calibration() const override { return calibrator_.has_value(); }
  uint32_t input_size() const override { return network_.graph().usual_input_size(); }
  Status calibrate(std::span<const float> image, uint32_t height, uint32_t width) override;
  Status finish() override;

 private:
  Result<ModelDescription> describe() const;
  Status write(const ModelDescription& description);

  FloatNetwork network_;
  ConvertOptions options_;
  ModelOutput& output_;
  std::optional<Calibrator> calibrator_;
};

}  // namespace quintet
