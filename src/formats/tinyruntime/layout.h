#pragma once
// The layout of a tinyRuntime file. Every field has 4 bytes.
//
// The record of a layer: its sizes, the offset of its parameters, then the words that the kind adds:
//   vanilla  has_bias
//   dq8      offset of the scales, group size of the weights, group size of the biases (0: no biases)
//   sq8      weight scale, weight zero point, output scale, output zero point, has_bias

#include <cstdint>

#include "formats/layer_table.h"

namespace quintet::tinyruntime {

inline constexpr uint64_t kWord = 4;

namespace header_at {
inline constexpr uint64_t kClasses = 0, kConvs = 4, kLinears = 8, kBatchNorms = 12;
inline constexpr uint64_t kActivations = 16, kQuantizedBytes = 20, kAsymmetric = 24;  // dq8, sq8
}  // namespace header_at

inline constexpr uint64_t kCountBytes = 16;  // of the four counts at the start of every kind

constexpr uint64_t header_bytes(NetworkKind kind) { return kind == NetworkKind::vanilla ? kCountBytes : 28; }

namespace conv_at {
inline constexpr uint64_t kKernel = 0, kStride = 4, kPadding = 8, kIn = 12, kOut = 16, kOffset = 20, kKind = 24;
}
namespace linear_at {
inline constexpr uint64_t kIn = 0, kOut = 4, kOffset = 8, kKind = 12;
}
namespace batch_norm_at {
inline constexpr uint64_t kSize = 0, kOffset = 4;
}
// After conv_at::kKind and linear_at::kKind.
namespace vanilla_at {
inline constexpr uint64_t kBias = 0;
}
namespace dq8_at {
inline constexpr uint64_t kScalesOffset = 0, kWeightGroup = 4, kBiasGroup = 8;
}
namespace sq8_at {
inline constexpr uint64_t kWeightScale = 0, kWeightZeroPoint = 4, kOutputScale = 8, kOutputZeroPoint = 12, kBias = 16;
}

constexpr uint64_t kind_bytes(NetworkKind kind) {
  return kWord * (kind == NetworkKind::vanilla ? 1 : kind == NetworkKind::dq8 ? 3 : 5);
}
constexpr uint64_t conv_bytes(NetworkKind kind) { return conv_at::kKind + kind_bytes(kind); }
constexpr uint64_t linear_bytes(NetworkKind kind) { return linear_at::kKind + kind_bytes(kind); }
inline constexpr uint64_t kBatchNormBytes = 8;
inline constexpr uint64_t kActivationBytes = 8;  // scale, zero point
inline constexpr uint64_t kBatchNormArrays = 4;  // gamma, beta, running mean, running variance

struct Counts {
  uint32_t convs = 0, linears = 0, batch_norms = 0, activations = 0;
};

// The start of the records.
struct TablePlaces {
  NetworkKind kind = NetworkKind::vanilla;
  Counts counts;

  uint64_t conv(uint64_t i) const { return header_bytes(kind) + i * conv_bytes(kind); }
  uint64_t linear(uint64_t i) const { return conv(counts.convs) + i * linear_bytes(kind); }
  uint64_t batch_norm(uint64_t i) const { return linear(counts.linears) + i * kBatchNormBytes; }
  uint64_t activation(uint64_t i) const { return batch_norm(counts.batch_norms) + i * kActivationBytes; }
  uint64_t end() const { return activation(counts.activations); }  // start of the parameters
  // For a layer, counted with convolutions first: its record, and what the kind adds to it.
  uint64_t layer(uint64_t i) const { return i < counts.convs ? conv(i) : linear(i - counts.convs); }
  uint64_t layer_offset(uint64_t i) const {
    return layer(i) + (i < counts.convs ? conv_at::kOffset : linear_at::kOffset);
  }
  uint64_t layer_kind(uint64_t i) const { return layer_offset(i) + kWord; }
};

}  // namespace quintet::tinyruntime
