#include "models/vision/tokens.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "models/vision/positions.h"

namespace quintet::vision {
namespace {

using Map = FeatureMap<float>;

Failure wrong_size(size_t patches) {
  return input_error(Reason::mismatch, "the network does not fit an image of {} patches", patches);
}

}  // namespace

Result<Map> single_pixel(std::span<const float> values) {
  QUINTET_TRY(Map y, Map::make(1, 1, values.size(), 0));
  std::ranges::copy(values, y.at(0, 0));
  return y;
}

Result<Map> embedded(const Map& x, std::span<const float> table, std::span<const float> positions, size_t width) {
  const size_t tokens = x.positions(), rows = table.size() / width, places = positions.size() / width;
  if (tokens > places) {
    return input_error(Reason::out_of_range, "a text of {} tokens, the network has positions for {}", tokens, places);
  }
  QUINTET_TRY(Map y, Map::make(1, tokens, width, 0));
  for (size_t token = 0; token < tokens; ++token) {
    const float id = *x.pixel(token);
    if (!(id >= 0 && id < static_cast<float>(rows))) {
      return input_error(Reason::out_of_range, "a token id is outside the vocabulary of {}", rows);
    }
    std::ranges::transform(table.subspan(static_cast<size_t>(id) * width, width),
                           positions.subspan(token * width, width), y.pixel(token), std::plus());
  }
  return y;
}

Result<Map> tokens_of(const Map& x, const Node& node, std::span<const float> front, std::span<const float> positions) {
  const size_t channels = x.channels, patches = x.positions(), rows = positions.size() / channels;
  QUINTET_TRY(Map y, Map::make(1, patches + node.first, channels, 0));
  std::ranges::copy(front, y.pixel(0));
  for (size_t p = 0; p < patches; ++p) std::copy_n(x.pixel(p), channels, y.pixel(node.first + p));

  if (positions.empty()) return y;

  const auto add = [&](size_t token, std::span<const float> values) {
    std::transform(values.begin(), values.end(), y.pixel(token), y.pixel(token), std::plus());
  };
  const size_t in_front = rows == patches ? 0 : rows == patches + 1 || node.resizing != Resizing::none ? 1 : node.first;
  if (rows == patches + in_front && in_front <= node.first) {
    add(0, positions.first(in_front * channels));
    add(node.first, positions.subspan(in_front * channels));
    return y;
  }
  const auto side = static_cast<size_t>(std::lround(std::sqrt(static_cast<double>(rows - 1))));
  if (node.resizing == Resizing::none || side * side + 1 != rows) {
    return input_error(Reason::mismatch, "the image has {} patches, the network has positions for {}", patches,
                       rows - std::min<size_t>(rows, in_front));
  }
  QUINTET_TRY(const AlignedBuffer<float> resized,
              resize_positions(positions.subspan(channels), side, x.height, x.width, channels, node.resizing));
  add(0, positions.first(channels));
  add(node.first, resized.span());
  return y;
}

Result<Map> token_at(const Map& x, size_t index) {
  if (index == kLastToken) index = x.positions() - 1;
  if (index >= x.positions()) return wrong_size(x.positions());
  return single_pixel({x.pixel(index), x.channels});
}

Result<Map> mean_from(const Map& x, size_t first) {
  if (first >= x.positions()) return wrong_size(x.positions());
  std::vector<float> mean(x.channels);
  for (size_t p = first; p < x.positions(); ++p) {
    const float* const from = x.pixel(p);
    for (size_t c = 0; c < x.channels; ++c) mean[c] += from[c];
  }
  for (float& value : mean) value /= static_cast<float>(x.positions() - first);
  return single_pixel(mean);
}

Result<Map> joined(const Map& x, const Map& other) {
  std::vector<float> values(x.pixel(0), x.pixel(0) + x.channels);
  values.insert(values.end(), other.pixel(0), other.pixel(0) + other.channels);
  return single_pixel(values);
}

Result<Map> merged_pixels(const Map& x, size_t border) {
  QUINTET_TRY(Map y, Map::make((x.height + 1) / 2, (x.width + 1) / 2, 4 * x.channels, border));
  for (size_t p = 0; p < y.positions(); ++p) {
    for (size_t i = 0; i < 4; ++i) {
      const size_t row = p / y.width * 2 + i % 2, column = p % y.width * 2 + i / 2;
      float* const to = y.pixel(p) + i * x.channels;
      if (row < x.height && column < x.width) {
        std::copy_n(x.pixel(row * x.width + column), x.channels, to);
      } else {
        std::fill_n(to, x.channels, 0.0F);
      }
    }
  }
  return y;
}

}  // namespace quintet::vision
