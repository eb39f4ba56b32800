// Hand-made AMB files that lie, and what each costs.

#include <gtest/gtest.h>

#include <chrono>

#include "tests/formats/amb_building.h"

namespace quintet::test {
namespace {

Error error_of(const File& file, const Reading& how = {}) {
  const auto read = read_file(file, how);
  EXPECT_FALSE(read);
  return read ? Error() : read.error();
}

// A tensor that no model uses may have any shape (docs/formats/amb.md, "Tensors that no model uses").
TEST(AmbReader, EmptyAndScalarTensorsAreListed) {
  AmbBuilder builder;
  builder.add({.name = "empty", .shape = {3, 0}, .data_size = 0, .data = {}});
  builder.add({.name = "scalar", .shape = {}});
  builder.add({.name = "none", .shape = {0}, .data_size = 0, .data = {}});
  const auto read = read_file(builder.file());
  ASSERT_TRUE(read) << read.error().detail;
  ASSERT_EQ(read->description.tensors.size(), 3u);
  EXPECT_EQ(read->description.tensors[0].shape, (std::vector<uint64_t>{3, 0}));
  EXPECT_EQ(read->description.tensors[0].bytes, 0u);
  EXPECT_EQ(read->description.tensors[1].bytes, 4u);
}

TEST(AmbHostile, AShapeBeyondTheFileIsRejectedWhateverItsDataSize) {
  const std::string int4_block("\x06\x20\x00\x01", 4);
  const std::string adaptive("\x08\x20\x00\x01", 4);
  for (const uint64_t size : {uint64_t{4}, uint64_t{1} << 60, uint64_t{1} << 62, UINT64_MAX}) {
    for (const bool known : {true, false}) {
      const Reading how = {.length_known = known};
      const std::vector<uint32_t> huge = {1u << 30, 1u << 30};
      for (const AmbRecord& record :
           {AmbRecord{.shape = huge, .data_size = size},
            AmbRecord{.shape = huge, .type = 6, .quantization = int4_block, .data_size = size},
            AmbRecord{.shape = huge, .type = 8, .quantization = adaptive, .data_size = size}}) {
        EXPECT_EQ(error_of(AmbBuilder().add(record).file(), how).tensor, "t");
      }
    }
  }
}

TEST(AmbHostile, AShapeWhoseProductOverflowsIsRejected) {
  const Error error = error_of(AmbBuilder().add({.shape = std::vector<uint32_t>(3, UINT32_MAX)}).file());
  EXPECT_EQ(error.reason, Reason::limit);
}

TEST(AmbHostile, NamesAreUniqueAndNotEmpty) {
  const Error twice = error_of(AmbBuilder().add({.name = "a"}).add({.name = "b"}).add({.name = "a"}).file());
  EXPECT_EQ(twice.reason, Reason::duplicate);
  EXPECT_EQ(twice.tensor, "a");
  EXPECT_EQ(error_of(AmbBuilder().add({.name = ""}).file()).reason, Reason::malformed);
}

TEST(AmbHostile, PaddingIsZero) {
  File file = AmbBuilder().add({.name = "abc"}).file();
  file.back() = std::byte{1};
  const Error error = error_of(file);
  EXPECT_EQ(error.reason, Reason::malformed);
  EXPECT_EQ(error.offset, file.size() - 1);
}

TEST(AmbHostile, AScalarAndATensorOfManyDimensionsAreRead) {
  const AmbRecord scalar = {.name = "s", .shape = {}};
  const AmbRecord of_many = {.shape = std::vector<uint32_t>(255, 1)};
  const auto read = read_file(AmbBuilder().add(scalar).add(of_many).file());
  ASSERT_TRUE(read) << read.error().detail;
  EXPECT_EQ(read->description.tensors[0].elements(), 1u);
  EXPECT_EQ(read->description.tensors[1].shape.size(), 255u);
}

// The scales of a large tensor pass before their data size is seen.
TEST(AmbHostile, AWrongDataSizeBehindManyScalesIsFound) {
  const size_t count = 10'000;
  const std::string quantization = std::string("\x03\x01\x00\x01", 4) + std::string(2 * count, '\0');
  AmbRecord record = {
      .shape = {count}, .type = 3, .quantization = quantization, .data_size = count, .data = std::string(count, '\1')};
  EXPECT_TRUE(read_file(AmbBuilder().add(record).file()));
  record.data_size = count - 8;
  const AmbBuilder builder = AmbBuilder().add(record);
  const Error error = error_of(builder.file());
  EXPECT_EQ(error.reason, Reason::mismatch);
  EXPECT_EQ(error.offset, builder.weights_begin() + 3 + 1 + 4 + 1 + 4 + 2 * count);
}

TEST(AmbHostile, TheMaskOfAnAdaptiveTensorMustFitItsData) {
  // Two blocks of 2: INT8 with an FP32 scale, FP16.
  const AmbRecord right = {.shape = {4},
                           .type = 8,
                           .quantization = std::string("\x08\x02\x00\x00", 4),
                           .data_size = 11,
                           .data = std::string("\x0e\x00\x00\x80\x3f\x01\x02\x00\x3c\x00\x40", 11)};
  const auto read = read_file(AmbBuilder().add(right).file(), {.chunk = 1});
  ASSERT_TRUE(read) << read.error().detail;
  EXPECT_EQ(dequantized(*read, "t"), (std::vector<float>{1, 2, 1, 2}));
  for (const char mask : {'\x05', '\x0f', '\x0a', '\x04'}) {
    AmbRecord wrong = right;
    wrong.data[0] = mask;
    const AmbBuilder builder = AmbBuilder().add(wrong);
    for (const bool wants_data : {true, false}) {
      const Error error = error_of(builder.file(), {.seekable = !wants_data, .wants_data = wants_data});
      EXPECT_EQ(error.offset, builder.weights_begin() + 3 + 1 + 4 + 1 + 4 + 8);
    }
  }
}

// Returns the bytes of `file` that the parser requests, and zeros after its end; counts the bytes.
uint64_t bytes_read_of(const std::vector<std::pair<uint64_t, File>>& parts, uint64_t size, ModelSink& sink) {
  ByteStream in(size, true);
  Parse<void> parse = read_model(in, Format::amb, sink, {.seekable = true, .verify_checksums = false});
  parse.start();
  uint64_t fed = 0;
  while (!parse.done()) {
    File chunk(std::min<uint64_t>(4096, size - in.position()));
    if (chunk.empty()) break;
    for (const auto& [at, bytes] : parts) {
      for (size_t i = 0; i < bytes.size(); ++i) {
        if (at + i >= in.position() && at + i < in.position() + chunk.size()) chunk[at + i - in.position()] = bytes[i];
      }
    }
    fed += chunk.size();
    in.feed(chunk);
  }
  if (!parse.done()) in.end();
  const Status status = parse.take();
  EXPECT_TRUE(status) << status.error().detail;
  return fed;
}

class Names final : public ModelSink {
 public:
  Status begin(const ModelDescription&) override { return {}; }
  Result<std::unique_ptr<ByteSink>> tensor(const TensorArrival&) override { return nullptr; }
  Status end(ModelDescription) override { return {}; }
};

TEST(AmbReader, InspectingALargeFileReadsNoData) {
  constexpr uint64_t kData = 1ull << 30;
  const AmbRecord record = {.name = "abc", .shape = {1u << 28}, .data_size = kData, .data = {}};
  const AmbBuilder first = AmbBuilder().add(record);
  const uint64_t head = first.file(kData).size();
  const uint64_t padding = (8 - head % 8) % 8;
  AmbRecord second = record;
  second.name = "abd";
  const File second_bytes = [&] {
    const File all = AmbBuilder().add(second).file(1);
    return File(all.begin() + static_cast<std::ptrdiff_t>(AmbBuilder().weights_begin()), all.end());
  }();
  const uint64_t second_at = head + kData + padding;
  uint64_t size = second_at + second_bytes.size() + kData;
  size += (8 - size % 8) % 8;
  Names sink;
  const uint64_t fed = bytes_read_of({{0, first.file(size - head)}, {second_at, second_bytes}}, size, sink);
  EXPECT_LT(fed, 32u << 10);
}

}  // namespace
}  // namespace quintet::test
