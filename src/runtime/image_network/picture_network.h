#pragma once
// A network of images with the preparation of pictures in front of it.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "image/prepare.h"
#include "runtime/image_network/network_run.h"

namespace quintet {

// The caller's changes of the preparation; absent values stay unchanged.
struct PreparationOptions {
  std::optional<uint32_t> size = {}, shorter_side = {};  // either makes the input a square
  std::optional<std::array<float, 3>> mean = {}, standard_deviation = {};
};

class PictureNetwork : public NetworkRun {
 public:
  PictureNetwork(std::unique_ptr<vision::ImageNetwork> network, const Preparation& preparation)
      : NetworkRun(std::move(network)), preparation_(preparation) {}

  // The preparation of pictures: as in the files, unless the caller sets something else.
  const Preparation& preparation() const { return preparation_; }
  // INPUT for a shorter side that is less than the size.
  Status prepare_as(const PreparationOptions& options);
  Result<PreparedImage> prepare(const Pixels& picture) const;

  // A picture needs a network with three input channels; it is not needed afterwards.
  Status begin(const Pixels& picture, vision::Output output);
  using NetworkRun::begin;

 private:
  Preparation preparation_;
};

}  // namespace quintet
