// Broken GGUF files: each is refused with its reason and the place of the wrong field.

#include <gtest/gtest.h>

#include <cstring>

#include "tests/formats/gguf_builder.h"

namespace quintet::test {
namespace {

struct Expected {
  Reason reason;
  uint64_t offset;
  Code code = Code::format;
  std::string tensor = {};
};

void expect_refused(const File& file, const Expected& expected) {
  for (const size_t chunk : {size_t{1}, size_t{1000}, SIZE_MAX}) {
    const auto read = read_file(file, {.format = Format::gguf, .chunk = chunk});
    ASSERT_FALSE(read);
    const Error& error = read.error();
    EXPECT_EQ(error.reason, expected.reason) << error.detail;
    EXPECT_EQ(error.offset, expected.offset) << error.detail;
    EXPECT_EQ(error.code, expected.code) << error.detail;
    EXPECT_EQ(error.tensor, expected.tensor) << error.detail;
    EXPECT_EQ(error.format, "gguf");
  }
  EXPECT_FALSE(read_file(file, {.format = Format::gguf, .chunk = 7, .length_known = false}));
  EXPECT_FALSE(read_file(file, {.format = Format::gguf, .chunk = 64, .seekable = true, .wants_data = false}));
}

// No padding, in which a value could continue.
File cut_behind(GgufBuilder builder) {
  builder.pads_the_end = false;
  return builder.build();
}

template <class T>
File patched(File file, size_t at, T value) {
  EXPECT_LE(at + sizeof(value), file.size());
  std::memcpy(file.data() + at, &value, sizeof(value));
  return file;
}

File header(uint32_t version, uint64_t tensors, uint64_t values) {
  return GgufBytes().raw("GGUF").number(version).number(tensors).number(values).bytes;
}

GgufBuilder one_tensor(const std::vector<uint64_t>& dimensions, uint32_t type = 0, size_t bytes = 128) {
  GgufBuilder builder;
  builder.tensor("tensor", dimensions, type, counting_bytes(bytes));
  return builder;
}

// Behind the header and the name.
constexpr uint64_t kDimensions = 24 + 8 + 6;

TEST(GgufHostile, Headers) {
  const File empty = header(3, 0, 0);
  EXPECT_TRUE(read_file(empty));
  expect_refused(patched(empty, 0, uint8_t{'X'}), {Reason::bad_magic, 0});
  for (const uint32_t version : {0u, 1u, 4u, 0x03000000u, 0xFFFFFFFFu}) {
    expect_refused(patched(empty, 4, version), {Reason::bad_version, 4, Code::unsupported});
  }
  for (const uint64_t count : {uint64_t{1}, uint64_t{1'000'000}, uint64_t{1} << 60, UINT64_MAX}) {
    expect_refused(header(3, count, 0), {Reason::limit, 8});
    expect_refused(header(3, 0, count), {Reason::limit, 16});
  }
}

TEST(GgufHostile, CountsOfAFileOfUnknownLength) {
  for (const File& file : {header(3, uint64_t{1} << 50, 0), header(3, 0, uint64_t{1} << 50)}) {
    const auto read = read_file(file, {.chunk = 5, .length_known = false});
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().reason, Reason::truncated);
    EXPECT_EQ(read.error().offset, 24);
  }
}

TEST(GgufHostile, Keys) {
  GgufBuilder builder;
  builder.u32("name", 1);
  const File good = builder.build();
  EXPECT_TRUE(read_file(good));
  for (const uint64_t length : {uint64_t{65536}, uint64_t{1} << 60, UINT64_MAX}) {
    expect_refused(patched(good, 24, length), {Reason::limit, 24});
  }
  expect_refused(patched(good, 34, uint8_t{'\n'}), {Reason::malformed, 34});
  expect_refused(patched(good, 33, uint8_t{0xFF}), {Reason::invalid_utf8, 33});
  expect_refused(GgufBuilder().text("h\xC3\xA9", "").build(), {Reason::malformed, 33});
  expect_refused(GgufBuilder().u32("", 1).build(), {Reason::malformed, 24});
  expect_refused(GgufBuilder().u32("one", 1).u32("two", 1).u32("one", 2).build(), {Reason::duplicate, 24 + 2 * 19 + 8});
}

TEST(GgufHostile, Values) {
  const uint64_t type = 24 + 8 + 1;
  for (const uint32_t unknown : {13u, 0x03000000u}) {
    expect_refused(GgufBuilder().value("k", unknown, GgufBytes().number(uint64_t{0})).build(),
                   {Reason::unknown_value, type});
  }
  expect_refused(GgufBuilder().value("k", kGgufBool, GgufBytes().number(uint8_t{2})).build(),
                 {Reason::malformed, type + 4});
  expect_refused(GgufBuilder().text("k", "ab\xFF").build(), {Reason::invalid_utf8, type + 4 + 8 + 2});
  expect_refused(patched(GgufBuilder().text("k", "abc").build(), type + 4, uint64_t{1} << 60),
                 {Reason::limit, type + 4});
  expect_refused(cut_behind(GgufBuilder().value("k", kGgufU64, GgufBytes().number(uint32_t{0}))),
                 {Reason::truncated, type + 4});
}

TEST(GgufHostile, Arrays) {
  const uint64_t array = 24 + 8 + 1 + 4;
  const auto claims = [](uint32_t type, uint64_t count) {
    return cut_behind(GgufBuilder().value("k", kGgufArray, GgufBytes().number(type).number(count).number(uint32_t{0})));
  };
  for (const uint32_t type : {kGgufU8, kGgufBool, kGgufString, kGgufArray, kGgufF64}) {
    for (const uint64_t count : {uint64_t{5}, uint64_t{1} << 60, uint64_t{1} << 63, UINT64_MAX}) {
      expect_refused(claims(type, count), {Reason::limit, array + 4});
    }
  }
  expect_refused(claims(13, 0), {Reason::unknown_value, array});
  GgufBytes bools;
  bools.number(uint32_t{kGgufBool}).number(uint64_t{3000}).raw(std::string(2999, '\1')).raw("\2");
  expect_refused(GgufBuilder().value("k", kGgufArray, bools).build(), {Reason::malformed, array + 12 + 2999});
  bools.bytes.resize(12 + 5);
  bools.bytes[15] = std::byte{7};
  expect_refused(GgufBuilder().value("k", kGgufArray, GgufBytes{patched(bools.bytes, 4, uint64_t{5})}).build(),
                 {Reason::malformed, array + 12 + 3});
  expect_refused(GgufBuilder().strings("k", {"a", "\xC0\x80"}).build(), {Reason::invalid_utf8, array + 12 + 9 + 8});
}

File nested_arrays(int depth) {
  GgufBytes arrays;
  for (int i = 1; i < depth; ++i) arrays.number(uint32_t{kGgufArray}).number(uint64_t{1});
  arrays.number(uint32_t{kGgufU8}).number(uint64_t{1}).number(uint8_t{1});
  return GgufBuilder().value("k", kGgufArray, arrays).build();
}

TEST(GgufHostile, Depth) {
  EXPECT_TRUE(read_file(nested_arrays(4)));
  for (const int depth : {5, 10'000}) expect_refused(nested_arrays(depth), {Reason::limit, 24 + 8 + 1 + 4 + 4 * 12});
}

TEST(GgufHostile, Vocabularies) {
  const auto lists = [](const char* key, uint32_t type) {
    return GgufBuilder()
        .value(key, kGgufArray, GgufBytes().number(type).number(uint64_t{1}).number(uint64_t{1}))
        .build();
  };
  expect_refused(lists("tokenizer.ggml.tokens", kGgufU64), {Reason::malformed, 24 + 8 + 21 + 4});
  expect_refused(lists("tokenizer.ggml.scores", kGgufF64), {Reason::malformed, 24 + 8 + 21 + 4});
  expect_refused(GgufBuilder().u32("tokenizer.ggml.merges", 1).build(), {Reason::malformed, 24 + 8 + 21});
  expect_refused(GgufBuilder().strings("tokenizer.ggml.tokens", {"a"}).floats("tokenizer.ggml.scores", {1, 2}).build(),
                 {Reason::mismatch, 24 + 8 + 21 + 4 + 12 + 9 + 8 + 21 + 4 + 4});
  expect_refused(GgufBuilder().ints("tokenizer.ggml.token_type", {1}).build(), {Reason::mismatch, 24 + 8 + 25 + 4 + 4});
  expect_refused(GgufBuilder().ints("tokenizer.ggml.token_type", {1, 7}).build(),
                 {Reason::unknown_value, 24 + 8 + 25 + 4 + 12 + 4});
  expect_refused(GgufBuilder().text("tokenizer.ggml.bos_token_id", "1").build(), {Reason::malformed, 24 + 8 + 27 + 4});
  // A string longer than the window through which lists are read.
  const File good = GgufBuilder().strings("tokenizer.ggml.tokens", {std::string(100'000, 'x'), "y"}).build();
  EXPECT_EQ(read_file(good)->description.tokenizer.tokens[0].size(), 100'000);
  const size_t first = 24 + 8 + 21 + 4 + 12;
  expect_refused(patched(good, first, uint64_t{1} << 60), {Reason::limit, first});
  expect_refused(patched(good, first + 8 + 90'000, uint8_t{0x80}), {Reason::invalid_utf8, first + 8 + 90'000});
}

TEST(GgufHostile, Alignments) {
  for (const uint32_t alignment : {0u, 1u, 4u, 24u, 33u, 0xFFFFFFFFu}) {
    expect_refused(GgufBuilder().u32("general.alignment", alignment).build(), {Reason::malformed, 24 + 8 + 17 + 4});
  }
  expect_refused(GgufBuilder().text("general.alignment", "32").build(), {Reason::malformed, 24 + 8 + 17 + 4});
  const File far = GgufBuilder().u32("general.alignment", 0x80000000u).tensor("t", {1}, 0, counting_bytes(4)).build();
  EXPECT_FALSE(read_file(far));
}

TEST(GgufHostile, Shapes) {
  const File good = one_tensor({32}).build();
  EXPECT_TRUE(read_file(good));
  const Expected nothing = {Reason::malformed, kDimensions + 4, Code::format, "tensor"};
  expect_refused(one_tensor({0}).build(), nothing);
  expect_refused(patched(good, kDimensions, 5u), {Reason::limit, kDimensions, Code::format, "tensor"});
  expect_refused(patched(good, kDimensions, UINT32_MAX), {Reason::limit, kDimensions, Code::format, "tensor"});
  const Expected large = {Reason::limit, kDimensions, Code::format, "tensor"};
  expect_refused(one_tensor({uint64_t{1} << 60}).build(), large);
  expect_refused(one_tensor({UINT64_MAX, 2}).build(), large);
  expect_refused(one_tensor({uint64_t{1} << 32, uint64_t{1} << 32}).build(), large);
  // Honest arithmetic, and more than the file holds.
  expect_refused(one_tensor({uint64_t{1} << 40}).build(), {Reason::truncated, good.size()});
  expect_refused(one_tensor({33}, 2).build(), {Reason::malformed, kDimensions, Code::format, "tensor"});
  expect_refused(one_tensor({128, 2}, 12).build(), {Reason::malformed, kDimensions, Code::format, "tensor"});
}

TEST(GgufHostile, Types) {
  for (const uint32_t type : {4u, 5u, 31u, 32u, 34u, 35u, 36u, 40u, 41u, 42u, 0xFFFFFFFFu}) {
    const File file = one_tensor({256}, type).build();
    expect_refused(file, {Reason::unknown_value, kDimensions + 4 + 8, Code::unsupported, "tensor"});
    const std::string detail = read_file(file).error().detail;
    EXPECT_NE(detail.find(std::to_string(type)), std::string::npos) << detail;
    EXPECT_EQ(detail.find("TQ1_0") != std::string::npos, type == 34);
    EXPECT_EQ(detail.find("NVFP4") != std::string::npos, type == 40);
    EXPECT_EQ(detail.find("Q1_0") != std::string::npos, type == 34 || type == 41);
  }
}

TEST(GgufHostile, Names) {
  GgufBuilder twice;
  twice.tensor("a", {8}, 0, counting_bytes(32))
      .tensor("b", {8}, 0, counting_bytes(32))
      .tensor("a", {8}, 0, counting_bytes(32));
  constexpr uint64_t kEntry = 8 + 1 + 4 + 8 + 4 + 8;
  expect_refused(twice.build(), {Reason::duplicate, 24 + 2 * kEntry + 8, Code::format, "a"});
  GgufBuilder unnamed;
  unnamed.tensor("", {8}, 0, counting_bytes(32));
  expect_refused(unnamed.build(), {Reason::malformed, 24});
  GgufBuilder garbled;
  garbled.tensor("a\xFF", {8}, 0, counting_bytes(32));
  expect_refused(garbled.build(), {Reason::invalid_utf8, 24 + 8 + 1});
}

TEST(GgufHostile, Offsets) {
  const auto second_at = [](uint64_t offset) {
    GgufBuilder builder;
    builder.tensor("a", {16}, 0, counting_bytes(64)).tensor_at(offset, "b", {16}, 0, counting_bytes(64));
    return builder.build();
  };
  constexpr uint64_t kEntry = 8 + 1 + 4 + 8 + 4 + 8;
  EXPECT_TRUE(read_file(second_at(64)));
  for (const uint64_t offset : {uint64_t{0}, uint64_t{32}, uint64_t{96}, uint64_t{65}, uint64_t{1} << 63, UINT64_MAX}) {
    expect_refused(second_at(offset), {Reason::malformed, 24 + 2 * kEntry - 8, Code::format, "b"});
  }
}

TEST(GgufHostile, BytesOutsideOfAllTensors) {
  GgufBuilder builder;
  builder.tensor("a", {3}, 24, counting_bytes(3)).tensor("b", {3}, 24, counting_bytes(3));
  const File good = builder.build();
  const size_t data = good.size() - 64;
  EXPECT_TRUE(read_file(good));
  for (const size_t padding : {data - 1, data + 3, data + 31, data + 35, data + 63}) {
    expect_refused(patched(good, padding, uint8_t{1}), {Reason::malformed, padding});
  }
  File longer = good;
  longer.resize(good.size() + 1);
  expect_refused(longer, {Reason::trailing, good.size()});
  longer.resize(good.size() + 32);
  expect_refused(longer, {Reason::trailing, good.size()});
  expect_refused(File(good.begin(), good.end() - 1), {Reason::truncated, good.size() - 1});
  expect_refused(File(good.begin(), good.end() - 32), {Reason::truncated, good.size() - 32});
}

TEST(GgufHostile, TruncatedAtEveryByte) {
  GgufBuilder builder = tiny_gguf_llama();
  builder.strings("tokenizer.ggml.merges", {"a b"}).tensor("last", {3}, 24, counting_bytes(3));
  const File whole = builder.build();
  for (size_t length = 0; length < whole.size(); ++length) {
    if (length == whole.size() - 29) continue;  // the end without padding
    for (const bool known : {true, false}) {
      const auto read =
          read_file(Bytes(whole).first(length), {.format = Format::gguf, .chunk = 4096, .length_known = known});
      ASSERT_FALSE(read) << length;
      ASSERT_TRUE(read.error().offset) << length;
      ASSERT_LE(*read.error().offset, length);
    }
  }
}

// A million of tensors of nothing: the first one is enough.
TEST(GgufHostile, AMillionEmptyTensors) {
  GgufBytes file;
  file.raw("GGUF").number(3u).number(uint64_t{1'000'000}).number(uint64_t{0});
  for (uint64_t i = 0; i < 1'000'000; ++i) {
    file.string("t" + std::to_string(i)).number(1u).number(uint64_t{0}).number(0u).number(uint64_t{0});
  }
  const auto read = read_file(file.bytes, {.chunk = 4096});
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().reason, Reason::malformed);
  EXPECT_EQ(read.error().offset, 24 + 8 + 2 + 4);
}

}  // namespace
}  // namespace quintet::test
