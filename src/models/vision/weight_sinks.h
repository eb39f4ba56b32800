#pragma once
// Passes weights of convolutions and linear layers from a file into the matrices that kernels read.

#include <cstring>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/unit_assembler.h"
#include "formats/layer_table.h"
#include "formats/model_sink.h"
#include "tensor/packed/paired_matrix.h"

namespace quintet::vision {

// Reorders the rows of a file, [channels][rows][columns] of a window, to [rows][columns][channels] as in feature maps.
// append(span<const T>) adds the next row.
template <class T, class Append>
class ChannelsLastSink final : public ByteSink {
 public:
  ChannelsLastSink(const ConvLayer& layer, Append append)
      : channels_(layer.in_channels), taps_(size_t{layer.kernel} * layer.kernel), append_(std::move(append)) {}

  Status write(Bytes bytes) override {
    const size_t row_bytes = channels_ * taps_ * sizeof(T);
    return rows_.feed(bytes, row_bytes, [&](Bytes rows) -> Status {
      for (; !rows.empty(); rows = rows.subspan(row_bytes)) QUINTET_CHECK(take(rows.data()));
      return {};
    });
  }
  Status finish() override { return {}; }

 private:
  Status take(const std::byte* source) {
    row_.resize(channels_ * taps_);
    if (taps_ == 1) {
      std::memcpy(row_.data(), source, channels_ * sizeof(T));
      return append_(std::span<const T>(row_));
    }
    for (size_t channel = 0; channel < channels_; ++channel) {
      for (size_t tap = 0; tap < taps_; ++tap, source += sizeof(T)) {
        std::memcpy(&row_[tap * channels_ + channel], source, sizeof(T));
      }
    }
    return append_(std::span<const T>(row_));
  }

  size_t channels_;
  size_t taps_;
  UnitAssembler<> rows_;
  Append append_;
  std::vector<T> row_;
};

template <class T, class Append>
std::unique_ptr<ByteSink> channels_last_sink(const ConvLayer& layer, Append append) {
  return std::make_unique<ChannelsLastSink<T, Append>>(layer, std::move(append));
}

// The weights of a dq8 file, payloads of Scheme::group_int8 (tensor/codecs/tinyruntime.h): rows [out][...] of whole
// groups, which become the segments of `matrix`. It must outlive the sink, and allocates no memory before the values
// arrive. FORMAT for a zero point that the kernels do not support.
std::unique_ptr<ByteSink> grouped_weight_sink(const TensorArrival& tensor, PairedMatrix& matrix);

}  // namespace quintet::vision
