#include "runtime/image_network/picture_network.h"

namespace quintet {
namespace {

constexpr uint32_t kPictureChannels = 3;

}  // namespace

Status PictureNetwork::prepare_as(const PreparationOptions& options) {
  Preparation& preparation = preparation_;
  if (options.size || options.shorter_side) {
    const std::optional<ImageSize> usual = preparation.fixed_size();
    const uint32_t size = options.size.value_or(usual ? usual->height : network().usual_input_size());
    Preparation square = Preparation::for_size(size);
    if (options.shorter_side) {
      if (*options.shorter_side < size) {
        return input_error(Reason::out_of_range, "load: 'shorterSide' must be at least the input size of {}, not {}",
                           size, *options.shorter_side);
      }
      square = Preparation::cropped(size, *options.shorter_side);
    }
    preparation.scaling = square.scaling;
    preparation.crop = square.crop;
  }
  if (options.mean) preparation.mean = *options.mean;
  if (options.standard_deviation) preparation.standard_deviation = *options.standard_deviation;
  return {};
}

Result<PreparedImage> PictureNetwork::prepare(const Pixels& picture) const {
  return prepare_image(picture, preparation_);
}

Status PictureNetwork::begin(const Pixels& picture, vision::Output output) {
  cancel();
  QUINTET_TRY(const PreparedImage input, prepare(picture));
  return begin(input.data.span(), kPictureChannels, input.height, input.width, output);
}

}  // namespace quintet
