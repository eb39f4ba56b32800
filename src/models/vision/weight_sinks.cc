#include "models/vision/weight_sinks.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "tensor/codecs/piecewise.h"
#include "tensor/packed/growth.h"

namespace quintet::vision {
namespace {

constexpr size_t kWord = 4;  // a scale, a zero point

// `word`: after the first of the scales.
Failure parameter_error(const TensorInfo& info, Reason reason, uint64_t word, std::string detail) {
  return entry_error(Code::format, reason, info.scales_offset + word * kWord, info.name, "{}", detail);
}

Status check_zero_points(const TensorInfo& info, std::span<const int32_t> zero_points) {
  const auto wrong = std::ranges::find_if(
      zero_points, [](int32_t zero_point) { return zero_point < -kMaxZeroPoint || zero_point > kMaxZeroPoint; });
  if (wrong == zero_points.end()) return {};
  return parameter_error(info, Reason::limit, zero_points.size() + static_cast<uint64_t>(wrong - zero_points.begin()),
                         formatted("the zero point of a group is {}, outside of +-{}", *wrong, kMaxZeroPoint));
}

// Collects values of T, which arrive in any number, up to `whole` of them.
template <class T>
Status append_values(AlignedBuffer<T>& values, Bytes bytes, uint64_t whole) {
  const size_t begin = values.size();
  const size_t count = bytes.size() / sizeof(T);
  QUINTET_CHECK(grow_to(values, begin + uint64_t{count}, whole));
  std::memcpy(values.data() + begin, bytes.data(), count * sizeof(T));
  return {};
}

// [float32 scales][int32 zero points, where asymmetric][int8 values]
class GroupedWeightSink final : public PiecewiseReader {
 public:
  GroupedWeightSink(const TensorArrival& tensor, PairedMatrix& matrix)
      : info_(tensor.info),
        bytes_exist_(tensor.bytes_exist),
        matrix_(matrix),
        groups_(info_.elements() / info_.quantization.block),
        zero_points_expected_(info_.quantization.asymmetric ? groups_ : 0),
        row_length_(info_.elements() / info_.shape[0]),
        values_left_(info_.elements()) {
    const auto group = static_cast<size_t>(info_.quantization.block);
    matrix_ = PairedMatrix(static_cast<size_t>(info_.shape[0]), static_cast<size_t>(row_length_) / group, group);
  }

 private:
  size_t step_bytes() const override {
    if (scales_.size() < groups_ || zero_points_.size() < zero_points_expected_) return kWord;
    return values_left_ == 0 ? 0 : 1;
  }

  Result<size_t> take(Bytes bytes) override {
    if (scales_.size() < groups_) return take_words(scales_, bytes, groups_);
    if (zero_points_.size() < zero_points_expected_) return take_words(zero_points_, bytes, zero_points_expected_);
    if (values_left_ == info_.elements()) QUINTET_CHECK(begin_values());
    return take_values(bytes);
  }

  template <class T>
  static Result<size_t> take_words(AlignedBuffer<T>& words, Bytes bytes, uint64_t whole) {
    const auto count = static_cast<size_t>(std::min<uint64_t>(bytes.size() / kWord, whole - words.size()));
    QUINTET_CHECK(append_values(words, bytes.first(count * kWord), whole));
    return count * kWord;
  }

  Status begin_values() {
    QUINTET_CHECK(check_zero_points(info_, zero_points_.span()));
    QUINTET_CHECK(matrix_.set_groups(scales_.span(), zero_points_.span()));
    return bytes_exist_ ? matrix_.reserve() : Status();
  }

  // The rest of a row, or a part of it.
  Result<size_t> take_values(Bytes bytes) {
    const auto count = static_cast<size_t>(std::min<uint64_t>(bytes.size(), row_length_ - row_.size()));
    QUINTET_CHECK(append_values(row_, bytes.first(count), row_length_));
    values_left_ -= count;
    if (row_.size() == row_length_) {
      QUINTET_CHECK(matrix_.append_row(row_.span()));
      QUINTET_CHECK(row_.resize(0));
    }
    return count;
  }

  TensorInfo info_;
  bool bytes_exist_;
  PairedMatrix& matrix_;
  uint64_t groups_;
  uint64_t zero_points_expected_;
  uint64_t row_length_;
  uint64_t values_left_;
  AlignedBuffer<float> scales_;
  AlignedBuffer<int32_t> zero_points_;
  AlignedBuffer<int8_t> row_;
};

}  // namespace

std::unique_ptr<ByteSink> grouped_weight_sink(const TensorArrival& tensor, PairedMatrix& matrix) {
  return std::make_unique<GroupedWeightSink>(tensor, matrix);
}

}  // namespace quintet::vision
