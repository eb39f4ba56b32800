// KV cache files against the golden ones: how they are read, written and refused.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <string>
#include <string_view>

#include "base/byte_writer.h"
#include "tests/golden/kv_cache_file.h"

namespace quintet::test {
namespace {

using kv::Layout;
using kv::Storage;

const std::vector<uint32_t> kIds = {28, 38, 5, 57, 46, 9, 29, 36};
constexpr kv::Shape kTiny = {.layers = 2, .kv_heads = 2, .positions = 8, .head_dim = 8};

std::vector<float> floats_of(const File& bytes) {
  std::vector<float> values(bytes.size() / sizeof(float));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

std::vector<TensorInfo> tensors_of(const File& file) { return read_file(file)->description.tensors; }

TensorInfo tensor_of(const File& file, std::string_view name) {
  return *read_file(file)->description.find_tensor(name);
}

TEST(KvCacheFile, GoldenFloatsAreReadExactly) {
  for (const char* name :
       {"kv-f32", "kv-f16", "kv-bf16", "kv-bare", "kv-int4-float", "wide-f32", "wide-int4-float-64"}) {
    SCOPED_TRACE(name);
    const File file = fixture("safetensors/" + std::string(name) + ".safetensors");
    const auto content = read_kv(file);
    ASSERT_TRUE(content);
    expect_kv_bits(kv_values(content->cache), kv_values(read_file(file).value()));
    const bool has_tokens = std::string_view(name).starts_with("kv-") && name != std::string_view("kv-bare");
    ASSERT_EQ(content->tokens.has_value(), has_tokens);
    if (has_tokens) {
      EXPECT_EQ(*content->tokens, kIds);
    }
    EXPECT_TRUE(content->logits.empty());
  }
}

TEST(KvCacheFile, GoldenPackedValuesAreReadExactly) {
  for (const char* name : {"kv-int4-packed", "wide-int4-32", "wide-int4-64", "wide-int4-128"}) {
    SCOPED_TRACE(name);
    const std::string path = "safetensors/" + std::string(name);
    const File file = fixture(path + ".safetensors");
    const auto content = read_kv(file);
    ASSERT_TRUE(content);
    expect_kv_numbers(kv_values(content->cache), floats_of(fixture(path + ".values.f32")));
  }
}

TEST(KvCacheFile, PackingGivesTheGoldenBytes) {
  const auto source = read_kv(fixture("safetensors/wide-f32.safetensors"));
  ASSERT_TRUE(source);
  for (const uint64_t group : {32, 64, 128}) {
    const std::string path = "safetensors/wide-int4-" + std::to_string(group) + ".safetensors";
    const auto expected = read_file(fixture(path));
    const auto file = write_kv(forked_content(source->cache), {Dtype::f32, Layout::packed, group});
    ASSERT_TRUE(file);
    const auto found = read_file(*file);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->data, expected->data) << group;
    for (const TensorInfo& info : expected->description.tensors) {
      const TensorInfo* same = found->description.find_tensor(info.name);
      ASSERT_NE(same, nullptr);
      EXPECT_EQ(same->shape, info.shape);
      EXPECT_EQ(same->dtype, info.dtype);
    }
    EXPECT_EQ(*found->description.metadata.find("group_size")->as_string(), std::to_string(group));
  }
}

TEST(KvCacheFile, PackingTheModelsCacheGivesTheGoldenBytes) {
  auto source = read_kv(fixture("safetensors/kv-f32.safetensors"));
  ASSERT_TRUE(source);
  const auto file = write_kv(*std::move(source), {Dtype::f32, Layout::packed, 8});
  ASSERT_TRUE(file);
  auto golden = read_file(fixture("safetensors/kv-int4-packed.safetensors"))->data;
  golden.erase("token_ids");  // metadata today
  EXPECT_EQ(read_file(*file)->data, golden);
}

TEST(KvCacheFile, AFileInTheSameStorageHasTheSameData) {
  const std::pair<const char*, Storage> files[] = {{"kv-f32", {Dtype::f32}},
                                                   {"kv-f16", {Dtype::f16}},
                                                   {"kv-bf16", {Dtype::bf16}},
                                                   {"kv-bare", {Dtype::f32}},
                                                   {"kv-int4-packed", {Dtype::f32, Layout::packed, 8}}};
  for (const auto& [name, storage] : files) {
    SCOPED_TRACE(name);
    const File file = fixture("safetensors/" + std::string(name) + ".safetensors");
    auto content = read_kv(file);
    ASSERT_TRUE(content);
    const auto once = write_kv(*std::move(content), storage);
    ASSERT_TRUE(once);
    auto before = read_file(file)->data;
    before.erase("token_ids");  // metadata today
    EXPECT_EQ(read_file(*once)->data, before);
    auto again = read_kv(*once);
    ASSERT_TRUE(again);
    EXPECT_EQ(write_kv(*std::move(again), storage).value(), *once);
  }
}

TEST(KvCacheFile, PiecesOfAnySizeMakeTheSameFile) {
  for (const char* name : {"kv-f32", "kv-int4-packed", "kv-f16"}) {
    const File file = fixture("safetensors/" + std::string(name) + ".safetensors");
    const std::vector<float> expected = kv_values(read_kv(file)->cache);
    for (const size_t chunk : {1, 2, 3, 5, 7, 31, 32, 33, 100, 511, 512, 1000}) {
      const auto content = read_kv(file, {}, chunk);
      ASSERT_TRUE(content);
      expect_kv_bits(kv_values(content->cache), expected);
      EXPECT_EQ(content->tokens, kIds);
    }
  }
  const auto content = read_kv(fixture("safetensors/kv-f32.safetensors"));
  for (const Storage& storage : {Storage{Dtype::f32}, Storage{Dtype::bf16}, Storage{Dtype::f16, Layout::rounded, 8},
                                 Storage{Dtype::f32, Layout::packed, 8}}) {
    const auto fork = [&] {
      kv::CacheContent own = forked_content(content->cache);
      own.tokens = kIds;
      own.logits = {1, 2, 3};
      return own;
    };
    const auto whole = write_kv(fork(), storage);
    ASSERT_TRUE(whole);
    for (const size_t chunk : {1, 2, 3, 5, 7, 31, 32, 33, 100, 511, 512, 1000}) {
      EXPECT_EQ(write_kv(fork(), storage, chunk).value(), *whole) << chunk;
    }
  }
}

// Every place at which a file can be cut in two.
TEST(KvCacheFile, AnyDivisionIntoChunksGivesTheSame) {
  const File file = fixture("safetensors/kv-int4-packed.safetensors");
  const std::vector<float> expected = kv_values(read_kv(file)->cache);
  for (size_t cut = 1; cut < file.size(); ++cut) {
    kv::KvCacheSink reader(std::nullopt);
    ByteStream in(file.size());
    Parse<void> parse = kv::read_cache(in, reader);
    parse.start();
    in.feed(Bytes(file).first(cut));
    ASSERT_FALSE(parse.done());
    in.feed(Bytes(file).subspan(cut));
    in.end();
    ASSERT_TRUE(parse.take());
    ASSERT_EQ(kv_values(reader.take().cache), expected) << cut;
  }
}

// The tensors of `file` in an order of the caller's, with the same metadata.
File reordered(const File& file, const std::vector<std::string>& order) {
  const ReadFile read = read_file(file).value();
  std::string header = "{\"__metadata__\":" + write_json(read.description.metadata);
  File data;
  for (const std::string& name : order) {
    const TensorInfo& info = *read.description.find_tensor(name);
    std::string shape = shape_text(info.shape);
    header += ",\"" + name + "\":{\"dtype\":\"" + std::string(name_of(info.dtype)) + "\",\"shape\":" + shape;
    header +=
        ",\"data_offsets\":[" + std::to_string(data.size()) + "," + std::to_string(data.size() + info.bytes) + "]}";
    const File& bytes = read.data.at(name);
    data.insert(data.end(), bytes.begin(), bytes.end());
  }
  header += "}";
  File out(8);
  const uint64_t length = header.size();
  std::memcpy(out.data(), &length, sizeof(length));
  const Bytes text = as_bytes(header);
  out.insert(out.end(), text.begin(), text.end());
  out.insert(out.end(), data.begin(), data.end());
  return out;
}

TEST(KvCacheFile, TensorsComeInAnyOrder) {
  const File file = fixture("safetensors/kv-int4-packed.safetensors");
  const std::vector<float> expected = kv_values(read_kv(file)->cache);
  std::vector<std::string> order;
  for (const TensorInfo& info : tensors_of(file)) order.push_back(info.name);
  std::mt19937 random(20261121);
  for (int turn = 0; turn < 30; ++turn) {
    std::shuffle(order.begin(), order.end(), random);
    for (const size_t chunk : {size_t{1}, size_t{13}, SIZE_MAX}) {
      const auto content = read_kv(reordered(file, order), {}, chunk);
      ASSERT_TRUE(content) << content.error().detail;
      expect_kv_bits(kv_values(content->cache), expected);
      EXPECT_EQ(content->tokens, kIds);
    }
  }
}

TEST(KvCacheFile, AModelTakesOnlyWhatFitsIt) {
  const File file = fixture("safetensors/kv-f32.safetensors");
  kv::CacheTarget target = kv_target(kTiny, KvType::f32);
  ASSERT_TRUE(read_kv(file, target));

  target.max_positions = 7;
  const auto long_cache = read_kv(file, target);
  ASSERT_FALSE(long_cache);
  EXPECT_EQ(long_cache.error().code, Code::input);
  EXPECT_EQ(long_cache.error().reason, Reason::limit);
  EXPECT_NE(long_cache.error().detail.find("8 positions"), std::string::npos);

  target = kv_target(kTiny, KvType::f32);
  target.config.n_vocab = 57;
  const auto ids = read_kv(file, target);
  ASSERT_FALSE(ids);
  EXPECT_EQ(ids.error().code, Code::format);
  EXPECT_EQ(ids.error().tensor, "token_ids");
  EXPECT_EQ(ids.error().offset, 504U + 2048U);

  kv::Shape other = kTiny;
  other.kv_heads = 4;
  EXPECT_EQ(read_kv(file, kv_target(other, KvType::f32)).error().reason, Reason::mismatch);
}

TEST(KvCacheFile, WithoutAModelTheLengthMustBeKnown) {
  const File file = fixture("safetensors/kv-f32.safetensors");
  for (const bool has_target : {true, false}) {
    kv::KvCacheSink reader(has_target ? std::optional(kv_target(kTiny, KvType::f32)) : std::nullopt);
    ByteStream in(std::nullopt);
    Parse<void> parse = kv::read_cache(in, reader);
    const Status status = drive(file, in, parse, 100);
    EXPECT_EQ(status.has_value(), has_target);
    if (!status) {
      EXPECT_EQ(status.error().code, Code::input);
    }
  }
}

// `value` in place of the four (or two) bytes at `offset`.
template <class T>
File edited(File file, size_t offset, T value) {
  std::memcpy(file.data() + offset, &value, sizeof(value));
  return file;
}

TEST(KvCacheFile, NumbersThatAreNotFiniteAreRejected) {
  const File file = fixture("safetensors/kv-f32.safetensors");
  const TensorInfo tensor = tensor_of(file, "layer_1_value");
  for (const float value : {NAN, INFINITY, -INFINITY}) {
    for (const size_t at : {size_t{0}, tensor.bytes - 4}) {
      for (const KvType type : {KvType::f32, KvType::f16, KvType::int8, KvType::int4}) {
        const auto content = read_kv(edited(file, tensor.offset + at, value), kv_target(kTiny, type));
        ASSERT_FALSE(content);
        EXPECT_EQ(content.error().code, Code::format);
        EXPECT_EQ(content.error().reason, Reason::out_of_range);
        EXPECT_EQ(content.error().tensor, "layer_1_value");
        EXPECT_EQ(content.error().offset, tensor.offset);
        EXPECT_EQ(content.error().format, "safetensors");
      }
    }
  }
}

TEST(KvCacheFile, ScalesThatAreNotFiniteAreRejected) {
  const File file = fixture("safetensors/kv-int4-packed.safetensors");
  const std::string name = "layer_0_value.scale";
  for (const std::vector<std::string>& first : {std::vector<std::string>{}, {"layer_0_value"}}) {
    std::vector<std::string> order = first;
    for (const TensorInfo& info : tensors_of(file)) {
      if (info.name != "layer_0_value" || first.empty()) order.push_back(info.name);
    }
    const File in_order = reordered(file, order);
    const TensorInfo tensor = tensor_of(in_order, name);
    for (const uint16_t scale : {0x7C00, 0x7E00, 0xFC00}) {
      const auto content = read_kv(edited(in_order, tensor.offset + 2, scale));
      ASSERT_FALSE(content);
      EXPECT_EQ(content.error().code, Code::format);
      EXPECT_EQ(content.error().tensor, name);
      EXPECT_EQ(content.error().offset, tensor.offset);
    }
  }
}

TEST(KvCacheFile, ValuesBeyondRowsOfHalvesAreReported) {
  const File file = fixture("safetensors/kv-f32.safetensors");
  const TensorInfo tensor = tensor_of(file, "layer_1_key");
  const File large = edited(file, tensor.offset + 40, 65520.0F);
  EXPECT_TRUE(read_kv(large, kv_target(kTiny, KvType::f32)));
  const auto content = read_kv(large, kv_target(kTiny, KvType::f16));
  ASSERT_FALSE(content);
  EXPECT_EQ(content.error().code, Code::input);
  EXPECT_EQ(content.error().reason, Reason::out_of_range);
  EXPECT_EQ(content.error().tensor, "layer_1_key");
}

TEST(KvCacheFile, ValuesBeyondATypeAreNotWritten) {
  const File file = fixture("safetensors/kv-f32.safetensors");
  const TensorInfo tensor = tensor_of(file, "layer_1_key");
  struct Case {
    float value;
    Storage storage;
    bool is_held;
  };
  const Case cases[] = {{65519, {Dtype::f16}, true},
                        {-65520, {Dtype::f16}, false},
                        {65520, {Dtype::bf16}, true},
                        {3.4e38F, {Dtype::f32}, true},
                        {-3.4e38F, {Dtype::bf16}, false},
                        {65519 * 7, {Dtype::f32, Layout::packed, 8}, true},
                        {65521 * 7, {Dtype::f32, Layout::packed, 8}, false},
                        {65521 * 7, {Dtype::f32, Layout::rounded, 8}, false},
                        // Steps of FP16(65504 / 7) = 9360, of FP16(65480 / 7) = 9352.
                        {65504, {Dtype::f16, Layout::rounded, 8}, false},
                        {65480, {Dtype::f16, Layout::rounded, 8}, true}};
  for (const Case& expected : cases) {
    auto content = read_kv(edited(file, tensor.offset + 40, expected.value));
    ASSERT_TRUE(content);
    const auto written = write_kv(*std::move(content), expected.storage);
    ASSERT_EQ(written.has_value(), expected.is_held) << expected.value;
    if (written) continue;
    EXPECT_EQ(written.error().code, Code::input);
    EXPECT_EQ(written.error().reason, Reason::out_of_range);
    EXPECT_TRUE(written.error().tensor.starts_with("layer_1_key"));
  }
}

// The file with an entry put in front of its metadata.
File with_metadata(const File& file, std::string_view entry) {
  uint64_t length = 0;
  std::memcpy(&length, file.data(), sizeof length);
  std::string header(reinterpret_cast<const char*>(file.data()) + sizeof length, static_cast<size_t>(length));
  constexpr std::string_view kMetadata = R"("__metadata__":{)";
  header.insert(header.find(kMetadata) + kMetadata.size(), std::string(entry) + ",");
  header.append((8 - header.size() % 8) % 8, ' ');
  ByteWriter out;
  out.put(uint64_t{header.size()});
  out.put_text(header);
  out.put_bytes(Bytes(file).subspan(sizeof length + static_cast<size_t>(length)));
  return out.take();
}

TEST(KvCacheFile, IdsInMetadataMustMatchTheTensor) {
  const File file = fixture("safetensors/kv-f32.safetensors");
  const auto same = read_kv(with_metadata(file, R"("token_ids":"28,38,5,57,46,9,29,36")"));
  ASSERT_TRUE(same) << same.error().detail;
  EXPECT_EQ(*same->tokens, kIds);
  const auto other = read_kv(with_metadata(file, R"("token_ids":"28,38,5,57,46,9,29,37")"));
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, Code::format);
  EXPECT_EQ(other.error().reason, Reason::mismatch);
  EXPECT_EQ(other.error().tensor, "token_ids");
}

TEST(KvCacheFile, IdsAreNotNegative) {
  const File file = fixture("safetensors/kv-f32.safetensors");
  const auto content = read_kv(edited(file, file.size() - 4, int32_t{-1}));
  ASSERT_FALSE(content);
  EXPECT_EQ(content.error().code, Code::format);
  EXPECT_EQ(content.error().tensor, "token_ids");
  EXPECT_TRUE(read_kv(edited(file, file.size() - 4, INT32_MAX)));
}

}  // namespace
}  // namespace quintet::test
