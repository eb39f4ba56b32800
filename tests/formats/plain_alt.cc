#include "tests/formats/plain_alt.h"

#include <gtest/gtest.h>

#include <cstring>

namespace quintet::test {
namespace {

class PlainReader {
 public:
  explicit PlainReader(const File& file) : file_(file) {}

  template <class T>
  T number() {
    T value{};
    EXPECT_LE(at_ + sizeof(T), file_.size());
    if (at_ + sizeof(T) > file_.size()) return value;
    std::memcpy(&value, file_.data() + at_, sizeof(T));
    at_ += sizeof(T);
    return value;
  }

  File bytes(size_t n) {
    EXPECT_LE(at_ + n, file_.size());
    if (at_ + n > file_.size()) return {};
    const auto begin = file_.begin() + static_cast<std::ptrdiff_t>(at_);
    at_ += n;
    return File(begin, begin + static_cast<std::ptrdiff_t>(n));
  }

  std::string text() {
    const File chars = bytes(static_cast<size_t>(number<int32_t>()));
    return std::string(reinterpret_cast<const char*>(chars.data()), chars.size());
  }

  // Marker and size, which is that of the fields; gives the place where these end.
  size_t section(uint64_t marker) {
    EXPECT_EQ(at_ % 32, 0u);
    EXPECT_EQ(number<uint64_t>(), marker);
    const auto size = number<uint64_t>();
    return at_ + static_cast<size_t>(size);
  }

  void end_section(size_t fields_end) {
    EXPECT_EQ(at_, fields_end);
    while (at_ % 32 != 0) EXPECT_EQ(number<uint8_t>(), 0);
  }

  size_t at() const { return at_; }

 private:
  const File& file_;
  size_t at_ = 0;
};

void read_start(PlainReader& in) {
  const size_t end = in.section(0x616C7400);
  EXPECT_EQ(in.number<int32_t>(), 2);
  EXPECT_EQ(in.number<int32_t>(), 32);
  in.end_section(end);
}

void read_parameters(PlainReader& in) {
  const size_t end = in.section(0xDEADBEEF);
  EXPECT_EQ(in.text(), "silu");
  in.number<uint8_t>();
  const auto hidden_size = in.number<int32_t>();
  in.number<int32_t>();  // intermediate_size
  EXPECT_EQ(in.number<int32_t>(), 64);
  const auto heads = in.number<int32_t>();
  EXPECT_EQ(in.number<int32_t>(), 2);
  in.number<int32_t>();  // num_key_value_heads
  in.number<int32_t>();  // sliding_window
  EXPECT_EQ(in.number<float>(), 10000.0F);
  EXPECT_EQ(in.number<float>(), 1e-5F);
  EXPECT_EQ(in.number<float>(), 0.02F);
  EXPECT_EQ(in.number<int32_t>(), hidden_size / heads);
  in.end_section(end);
}

std::vector<PlainToken> read_tokens(PlainReader& in) {
  const size_t end = in.section(0xBADDCAFE);
  const auto count = in.number<int32_t>();
  const int32_t special[] = {1, 2, -1, 0};  // of all fixtures
  for (const int32_t id : special) EXPECT_EQ(in.number<int32_t>(), id);
  EXPECT_EQ(in.number<int32_t>(), 64);
  std::vector<PlainToken> tokens(static_cast<size_t>(count));
  for (PlainToken& token : tokens) token = {in.text(), in.number<float>(), in.number<int32_t>()};
  in.end_section(end);
  return tokens;
}

PlainAltTensor read_tensor(PlainReader& in) {
  PlainAltTensor tensor{};
  for (int32_t& number : tensor.numbers) number = in.number<int32_t>();
  tensor.shape.resize(static_cast<size_t>(in.number<int32_t>()));
  size_t elements = 1;
  for (int32_t& dimension : tensor.shape) elements *= static_cast<size_t>(dimension = in.number<int32_t>());
  tensor.name = in.text();
  tensor.type = in.number<int32_t>();
  tensor.delta = in.number<float>();
  tensor.min = in.number<float>();
  tensor.max = in.number<float>();
  tensor.packing = in.number<int8_t>();
  const size_t whole[] = {4 * elements, 2 * elements, elements, elements};
  tensor.data = in.bytes(tensor.packing == 1 ? (elements + 1) / 2 : whole[tensor.type]);
  return tensor;
}

std::vector<PlainAltTensor> read_tensors(PlainReader& in) {
  const size_t end = in.section(0xFACEFEED);
  std::vector<PlainAltTensor> tensors(static_cast<size_t>(in.number<int64_t>()));
  const auto dimensions = in.number<int64_t>();
  EXPECT_EQ(in.number<int32_t>(), 2);
  const auto unique = in.number<int32_t>();
  int64_t dimensions_seen = 0, unique_seen = 0;
  for (PlainAltTensor& tensor : tensors) {
    tensor = read_tensor(in);
    dimensions_seen += static_cast<int64_t>(tensor.shape.size());
    unique_seen += tensor.numbers[1] < 0;
  }
  EXPECT_EQ(dimensions, dimensions_seen);
  EXPECT_EQ(unique, unique_seen);
  in.end_section(end);
  return tensors;
}

}  // namespace

PlainAlt read_plain_alt(const File& file) {
  PlainReader in(file);
  PlainAlt alt;
  read_start(in);
  const size_t end = in.section(0xCAFEBABE);
  for (int i = 0; i < 7; ++i) alt.general.push_back(in.text());
  in.end_section(end);
  read_parameters(in);
  alt.tokens = read_tokens(in);
  if (in.at() + 8 < file.size()) alt.tensors = read_tensors(in);
  EXPECT_EQ(in.number<uint64_t>(), 0x0FFFFFFFu);
  alt.bytes_read = in.at();
  return alt;
}

}  // namespace quintet::test
