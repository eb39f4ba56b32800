// Payloads of grouped int8 on their way into a layer.

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "models/tensor_sinks.h"
#include "models/vision/weight_sinks.h"

namespace quintet::test {
namespace {

// Three outputs of two groups of five values.
struct GroupedTensor {
  explicit GroupedTensor(bool asymmetric) {
    info.name = "layer1.0.conv1.weight";
    info.shape = {3, 10, 1, 1};
    info.quantization = {.scheme = Scheme::group_int8, .block = 5, .asymmetric = asymmetric};
    info.bytes = 30;
    info.scales_offset = 1000;
    info.scales_bytes = asymmetric ? 48 : 24;
    if (asymmetric) zero_points = {0, -1, kMaxZeroPoint, -kMaxZeroPoint, 127, -128};
    for (int i = 0; i < 30; ++i) values.push_back(static_cast<int8_t>(i * 37));
  }

  std::vector<std::byte> payload() const {
    std::vector<std::byte> bytes;
    const auto append = [&](const auto& part) {
      const auto view = std::as_bytes(std::span(part));
      bytes.insert(bytes.end(), view.begin(), view.end());
    };
    append(scales);
    append(zero_points);
    append(values);
    return bytes;
  }

  TensorInfo info;
  std::vector<float> scales = {0.5F, 1, 2, 0.25F, 0, -3};
  std::vector<int32_t> zero_points;
  std::vector<int8_t> values;
};

Status write_in_pieces(ByteSink& sink, std::span<const std::byte> bytes, size_t piece) {
  for (size_t at = 0; at < bytes.size(); at += piece) {
    QUINTET_CHECK(sink.write(bytes.subspan(at, std::min(piece, bytes.size() - at))));
  }
  return sink.finish();
}

TEST(GroupedWeights, EachValueScaleAndZeroPointIsInItsPlace) {
  for (const bool asymmetric : {false, true}) {
    for (const bool bytes_exist : {false, true}) {
      for (size_t piece = 1; piece <= 79; ++piece) {
        const GroupedTensor tensor(asymmetric);
        PairedMatrix matrix;
        ASSERT_TRUE(
            write_in_pieces(*vision::grouped_weight_sink({tensor.info, bytes_exist}, matrix), tensor.payload(), piece));
        ASSERT_EQ(matrix.rows(), 3u);
        ASSERT_EQ(matrix.segments(), 2u);
        ASSERT_EQ(matrix.length(), 5u);
        for (size_t row = 0; row < 3; ++row) {
          for (size_t group = 0; group < 2; ++group) {
            const size_t lane = group * kPanelRows + row;
            EXPECT_EQ(matrix.scales(0)[lane], tensor.scales[row * 2 + group]);
            EXPECT_EQ(matrix.zero_points(0)[lane], asymmetric ? tensor.zero_points[row * 2 + group] : 0);
            for (size_t i = 0; i < 5; ++i) {
              const size_t at = ((group * 3 + i / 2) * kPanelRows + row) * 2 + i % 2;
              EXPECT_EQ(matrix.panel(0)[at], tensor.values[row * 10 + group * 5 + i]);
            }
          }
        }
      }
    }
  }
}

Error refusal(const GroupedTensor& tensor, std::span<const std::byte> payload) {
  PairedMatrix matrix;
  const Status status = write_in_pieces(*vision::grouped_weight_sink({tensor.info, true}, matrix), payload, 7);
  EXPECT_FALSE(status);
  return status ? Error() : status.error();
}

// Its result for an input is not a number either.
TEST(GroupedWeights, AScaleThatIsNotFiniteIsKept) {
  GroupedTensor tensor(false);
  tensor.scales[3] = std::numeric_limits<float>::quiet_NaN();
  PairedMatrix matrix;
  ASSERT_TRUE(write_in_pieces(*vision::grouped_weight_sink({tensor.info, true}, matrix), tensor.payload(), 7));
  EXPECT_TRUE(std::isnan(matrix.scales(0)[kPanelRows + 1]));
}

TEST(GroupedWeights, AZeroPointBeyondTheKernelsIsAnErrorOfTheFile) {
  for (const int32_t wrong : {kMaxZeroPoint + 1, -kMaxZeroPoint - 1, INT32_MAX, INT32_MIN}) {
    GroupedTensor tensor(true);
    tensor.zero_points[2] = wrong;
    const Error error = refusal(tensor, tensor.payload());
    EXPECT_EQ(error.code, Code::format);
    EXPECT_EQ(error.reason, Reason::limit);
    EXPECT_EQ(error.offset, 1032u);
    EXPECT_EQ(error.tensor, tensor.info.name);
    EXPECT_NE(error.detail.find(std::to_string(wrong)), std::string::npos);
  }
}

TEST(GroupedWeights, APayloadOfAnotherSizeIsRejected) {
  const GroupedTensor tensor(true);
  std::vector<std::byte> payload = tensor.payload();
  EXPECT_EQ(refusal(tensor, std::span(payload).first(77)).reason, Reason::truncated);
  EXPECT_EQ(refusal(tensor, std::span(payload).first(47)).reason, Reason::truncated);
  payload.push_back({});
  EXPECT_EQ(refusal(tensor, payload).reason, Reason::trailing);
}

// A bias of two groups of three, whose zero points may be any numbers.
struct GroupedBias {
  GroupedBias() {
    info.name = "fc.bias";
    info.shape = {6};
    info.quantization = {.scheme = Scheme::group_int8, .block = 3, .asymmetric = true};
    info.bytes = 6;
    info.scales_bytes = 16;
  }

  Status load(AlignedBuffer<float>& values) const {
    std::vector<std::byte> payload(22);
    std::memcpy(payload.data(), scales.data(), 8);
    std::memcpy(payload.data() + 8, zero_points.data(), 8);
    std::memcpy(payload.data() + 16, q.data(), 6);
    QUINTET_TRY(const std::unique_ptr<ByteSink> sink, tensor_sink<SourceTypes::all>({info, true}, values));
    return write_in_pieces(*sink, payload, 5);
  }

  TensorInfo info;
  std::vector<float> scales = {0.1F, 3e-5F};
  std::vector<int32_t> zero_points = {-7, 1'000'003};
  std::vector<int8_t> q = {-128, 0, 127, 1, 2, 3};
};

TEST(GroupedBiases, BecomeTheValuesThatTheyStandFor) {
  const GroupedBias bias;
  AlignedBuffer<float> values;
  ASSERT_TRUE(bias.load(values));
  ASSERT_EQ(values.size(), 6u);
  for (size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(values[i], static_cast<float>(bias.q[i] - bias.zero_points[i / 3]) * bias.scales[i / 3]);
  }
}

}  // namespace
}  // namespace quintet::test
