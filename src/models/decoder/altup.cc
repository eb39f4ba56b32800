#include "models/decoder/altup.h"

#include <algorithm>
#include <cmath>

namespace quintet::decoder {
namespace {

float mean_square(std::span<const float> row) {
  float sum = 0;
  for (const float value : row) sum += value * value;
  return sum / static_cast<float>(row.size());
}

float dot(const float* weights, const std::array<float, kAltUpStreams>& values) {
  float sum = 0;
  for (size_t i = 0; i < kAltUpStreams; ++i) sum += weights[i] * values[i];
  return sum;
}

}  // namespace

std::array<float, kAltUpStreams> AltUp::routes(const float* x) const {
  std::array<float, kAltUpStreams> routes = {};
  const float inverse = 1 / (std::sqrt(mean_square({x, width}) + epsilon) * static_cast<float>(width));
  for (size_t c = 0; c < width; ++c) {
    const float normed = inverse * x[c] * router_norm[c];
    for (size_t i = 0; i < kAltUpStreams; ++i) routes[i] += router[i * width + c] * normed;
  }
  soft_cap(routes.data(), routes.size(), 1);
  return routes;
}

void AltUp::predict(float* x, float* streams) const {
  const std::array<float, kAltUpStreams> routes = this->routes(streams);
  std::array<std::array<float, kAltUpStreams>, kAltUpStreams> weights;
  for (size_t i = 0; i < kAltUpStreams; ++i) {
    for (size_t j = 0; j < kAltUpStreams; ++j) {
      weights[i][j] = dot(prediction + (i * kAltUpStreams + j) * kAltUpStreams, routes);
    }
  }
  for (size_t c = 0; c < width; ++c) {
    std::array<float, kAltUpStreams> values;
    for (size_t i = 0; i < kAltUpStreams; ++i) values[i] = streams[i * width + c];
    for (size_t i = 0; i < kAltUpStreams; ++i) streams[i * width + c] += dot(weights[i].data(), values);
    x[c] = streams[c];
  }
}

void AltUp::correct(float* x, float* streams) const {
  const std::array<float, kAltUpStreams> routes = this->routes(x);
  std::array<float, kAltUpStreams> weights;
  for (size_t i = 0; i < kAltUpStreams; ++i) weights[i] = 1 + dot(correction + i * kAltUpStreams, routes);
  for (size_t c = 0; c < width; ++c) {
    const float change = x[c] - streams[c];
    for (size_t i = 0; i < kAltUpStreams; ++i) streams[i * width + c] += weights[i] * change;
    x[c] = scale[c] * streams[c];
  }
}

void match_magnitude(std::span<const float> like, const float* row, float* y) {
  constexpr float kMin = 1e-5F;
  const float scale = std::sqrt(mean_square(like) / std::max(mean_square({row, like.size()}), kMin));
  for (size_t c = 0; c < like.size(); ++c) y[c] = scale * row[c];
}

void mean_of_streams(std::span<float> x, const float* streams) {
  for (size_t c = 0; c < x.size(); ++c) {
    float sum = 0;
    for (size_t i = 0; i < kAltUpStreams; ++i) sum += streams[i * x.size() + c];
    x[c] = sum / kAltUpStreams;
  }
}

void keep_largest(std::span<float> gates, double deviations) {
  const auto count = static_cast<double>(gates.size());
  double sum = 0, squares = 0;
  for (const float gate : gates) sum += gate;
  const double mean = sum / count;
  for (const float gate : gates) squares += (gate - mean) * (gate - mean);
  const auto cutoff = static_cast<float>(mean + deviations * std::sqrt(squares / count));
  for (float& gate : gates) gate = std::max(gate - cutoff, 0.0F);
}

}  // namespace quintet::decoder
