#pragma once
// One pass at a time through a network, step by step, so that callers can handle events in between.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/result.h"
#include "models/vision/pass.h"

namespace quintet {

class NetworkRun {
 public:
  explicit NetworkRun(std::unique_ptr<vision::ImageNetwork> network) : network_(std::move(network)) {}

  const vision::ImageNetwork& network() const { return *network_; }

  // Starts a pass and discards an unfinished one. The input is [channels][height][width], normalized and finite; it is
  // not needed afterwards.
  Status begin(std::span<const float> input, uint64_t channels, uint64_t height, uint64_t width, vision::Output output);
  // Computes for a few milliseconds; true once the output is available.
  Result<bool> step();
  // The output of a complete pass; empty without one. Ends the pass.
  std::vector<float> take();
  // Discards the pass.
  void cancel();

 private:
  std::unique_ptr<vision::ImageNetwork> network_;
  std::unique_ptr<vision::Pass> pass_;
  bool complete_ = false;
};

}  // namespace quintet
