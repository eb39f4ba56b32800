// Configurations of transformers' image processors and of timm, and pictures that are prepared according to them. The
// input is the shape of a picture and the text of the configuration.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

#include "formats/huggingface/image_preparation.h"

namespace {

using namespace quintet;

struct Shape {
  uint8_t height, width, channels, longer;  // sides up to 255 x 256
};

void prepare(const Shape& shape, const Preparation& preparation) {
  const ImageSize size = {shape.height * (shape.longer % 2 != 0 ? 256U : 1), shape.width};
  const auto wanted = prepared_size(size, preparation);
  if (!wanted && (wanted.error().detail.empty() || wanted.error().code != Code::input)) std::abort();
  if (wanted && preparation.fixed_size() && *preparation.fixed_size() != *wanted) std::abort();
  constexpr uint64_t kFastEnough = 1 << 18;
  if (wanted && uint64_t{wanted->height} * wanted->width > kFastEnough) return;

  const uint32_t channels = shape.channels % 3 == 0 ? 1 : shape.channels % 3 + 2;
  std::vector<uint8_t> samples(size_t{size.height} * size.width * channels);
  for (size_t i = 0; i < samples.size(); ++i) samples[i] = static_cast<uint8_t>(i * 31);
  const auto image = prepare_image({samples, size.width, size.height, channels}, preparation);
  if (image.has_value() != wanted.has_value()) std::abort();
  if (!image) return;
  if (image->height != wanted->height || image->width != wanted->width) std::abort();
  if (image->data.size() != size_t{3} * image->height * image->width) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Shape shape;
  if (size < sizeof shape) return 0;
  std::memcpy(&shape, data, sizeof shape);
  const auto json = parse_json({reinterpret_cast<const char*>(data) + sizeof shape, size - sizeof shape});
  if (!json) return 0;
  for (const auto& preparation :
       {huggingface::read_preprocessor_config(*json), huggingface::read_pretrained_cfg(*json)}) {
    if (preparation) {
      prepare(shape, *preparation);
    } else if (preparation.error().detail.empty()) {
      std::abort();
    }
  }
  return 0;
}
