#include "formats/kv_cache/cache_file.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "formats/safetensors/header.h"
#include "tests/formats/kv_cache_headers.h"

namespace quintet::test {
namespace {

using kv::CacheFile;
using kv::Layout;
using kv::Shape;
using kv::Storage;
using Kind = kv::TensorRole::Kind;

bool operator==(const Storage& a, const Storage& b) {
  return a.dtype == b.dtype && a.layout == b.layout && a.group == b.group;
}

struct CacheFacts {
  const char* file;
  Shape shape;
  Storage storage;
  bool has_tokens;
};

constexpr Shape kTiny = {.layers = 2, .kv_heads = 2, .positions = 8, .head_dim = 8};
constexpr Shape kWide = {.layers = 2, .kv_heads = 2, .positions = 6, .head_dim = 128};
const CacheFacts kCacheFacts[] = {
    {"kv-f32", kTiny, {Dtype::f32, Layout::plain, 0}, true},
    {"kv-f16", kTiny, {Dtype::f16, Layout::plain, 0}, true},
    {"kv-bf16", kTiny, {Dtype::bf16, Layout::plain, 0}, true},
    {"kv-bare", kTiny, {Dtype::f32, Layout::plain, 0}, false},
    {"kv-int4-packed", kTiny, {Dtype::f32, Layout::packed, 8}, true},
    {"kv-int4-float", kTiny, {Dtype::f32, Layout::rounded, 8}, true},
    {"wide-f32", kWide, {Dtype::f32, Layout::plain, 0}, false},
    {"wide-int4-32", kWide, {Dtype::f32, Layout::packed, 32}, false},
    {"wide-int4-64", kWide, {Dtype::f32, Layout::packed, 64}, false},
    {"wide-int4-128", kWide, {Dtype::f32, Layout::packed, 128}, false},
    {"wide-int4-float-64", kWide, {Dtype::f32, Layout::rounded, 64}, false},
};

TEST(KvCacheDescription, TheFixturesAreWhatTheirGeneratorSays) {
  for (const CacheFacts& facts : kCacheFacts) {
    SCOPED_TRACE(facts.file);
    const ModelDescription description = cache_header(facts.file);
    const auto file = kv::read_cache_file(description);
    ASSERT_TRUE(file) << file.error().detail;
    EXPECT_EQ(file->shape, facts.shape);
    EXPECT_TRUE(file->storage == facts.storage);
    EXPECT_EQ(file->has_tokens(), facts.has_tokens);
    EXPECT_EQ(file->logits, 0u);
    EXPECT_EQ(write_json(file->metadata), write_json(description.metadata));
  }
}

// The tensors of a fixture by name: what other programs wrote must be what is described here.
TEST(KvCacheDescription, TheDescriptionHasTheTensorsOfTheFixtures) {
  for (const CacheFacts& facts : kCacheFacts) {
    SCOPED_TRACE(facts.file);
    const ModelDescription original = cache_header(facts.file);
    ModelDescription described = kv::describe_cache_file(*kv::read_cache_file(original));
    ASSERT_TRUE(safetensors::write_header(described));
    for (const TensorInfo& info : original.tensors) {
      if (info.name == "token_ids") continue;  // metadata today
      const TensorInfo* same = described.find_tensor(info.name);
      ASSERT_NE(same, nullptr) << info.name;
      EXPECT_EQ(same->dtype, info.dtype);
      EXPECT_EQ(same->shape, info.shape);
      EXPECT_EQ(same->bytes, info.bytes);
    }
    for (const Json::Member& member : *original.metadata.as_object()) {
      const Json* value = described.metadata.find(member.name);
      ASSERT_NE(value, nullptr) << member.name;
      EXPECT_EQ(write_json(*value), write_json(member.value)) << member.name;
    }
  }
}

std::vector<Storage> all_storages() {
  std::vector<Storage> storages;
  for (const Dtype dtype : {Dtype::f32, Dtype::f16, Dtype::bf16}) {
    storages.push_back({.dtype = dtype});
    for (const uint64_t group : {uint64_t{1}, uint64_t{3}, uint64_t{6}}) {
      storages.push_back({.dtype = dtype, .layout = Layout::rounded, .group = group});
      storages.push_back({.dtype = dtype, .layout = Layout::packed, .group = group});
    }
  }
  return storages;
}

TEST(KvCacheDescription, SurvivesTheRoundTrip) {
  for (const Storage& storage : all_storages()) {
    for (const uint64_t positions : {uint64_t{0}, uint64_t{1}, uint64_t{37}}) {
      CacheFile file;
      file.shape = {.layers = 12, .kv_heads = 3, .positions = positions, .head_dim = 6};
      file.storage = storage;
      if (positions != 1) file.token_ids = std::vector<uint32_t>(positions, 7);
      file.logits = positions == 37 ? 99 : 0;
      file.metadata.set("model", "a name");
      ModelDescription description = kv::describe_cache_file(file);
      const auto header = safetensors::write_header(description);
      ASSERT_TRUE(header);
      const auto read = safetensors::read_header(as_text(*header).substr(8));
      ASSERT_TRUE(read) << read.error().detail;
      const auto again = kv::read_cache_file(*read);
      ASSERT_TRUE(again) << again.error().detail;
      EXPECT_EQ(again->shape, file.shape);
      EXPECT_TRUE(again->storage == file.storage);
      EXPECT_EQ(again->token_ids, file.token_ids);
      EXPECT_FALSE(again->has_token_tensor);
      EXPECT_EQ(again->logits, file.logits);
      EXPECT_EQ(*again->metadata.find("model")->as_string(), "a name");
    }
  }
}

// Like a cache of Gemma 4, where layers with a window have different heads from those without.
TEST(KvCacheDescription, LayersMayHaveDifferentHeads) {
  for (const Storage& storage : {Storage{.dtype = Dtype::bf16}, Storage{.layout = Layout::packed, .group = 6}}) {
    CacheFile file;
    file.shape = {.layers = 3, .kv_heads = 3, .positions = 5, .head_dim = 6};
    file.storage = storage;
    file.local = {1, 12};
    file.local_layers = {false, true, false};
    ModelDescription description = kv::describe_cache_file(file);
    ASSERT_TRUE(safetensors::write_header(description));
    const uint64_t packed = storage.layout == Layout::packed ? 2 : 1;
    EXPECT_EQ(description.find_tensor("layer_0_key")->shape, (std::vector<uint64_t>{1, 3, 5, 6 / packed}));
    EXPECT_EQ(description.find_tensor("layer_1_value")->shape, (std::vector<uint64_t>{1, 1, 5, 12 / packed}));
    const auto again = kv::read_cache_file(description);
    ASSERT_TRUE(again) << again.error().detail;
    EXPECT_EQ(again->shape, file.shape);
    EXPECT_EQ(again->local, file.local);
    EXPECT_EQ(again->local_layers, file.local_layers);
    EXPECT_EQ(description.metadata.find("head_dim"), nullptr);
    uint64_t bytes = 0;
    for (const TensorInfo& info : description.tensors) bytes += info.bytes;
    EXPECT_EQ(kv::data_bytes(*again), bytes);
    const_cast<TensorInfo*>(description.find_tensor("layer_1_value"))->shape[1] = 3;
    const auto refused = kv::read_cache_file(description);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().tensor, "layer_1_value") << "unlike its key";
    for (const char* third : {"layer_2_key", "layer_2_value"}) {
      const_cast<TensorInfo*>(description.find_tensor(third))->shape[1] = 2;
    }
    description.metadata.remove("num_kv_heads");
    EXPECT_FALSE(kv::read_cache_file(description)) << "three kinds of heads";
  }
}

std::vector<std::string> written_names(Layout layout) {
  CacheFile file;
  file.shape = {.layers = 11, .kv_heads = 1, .positions = 1, .head_dim = 2};
  file.storage = {.dtype = Dtype::f32, .layout = layout, .group = layout == Layout::plain ? 0u : 2u};
  file.token_ids = {5};
  ModelDescription description = kv::describe_cache_file(file);
  EXPECT_TRUE(safetensors::write_header(description));
  std::vector<std::string> names;
  for (const TensorInfo& info : description.tensors) names.push_back(info.name);
  return names;
}

TEST(KvCacheDescription, PlainFilesHaveTheirTensorsByName) {
  const auto names = written_names(Layout::plain);
  ASSERT_EQ(names.size(), 22u);
  EXPECT_EQ(std::vector(names.begin(), names.begin() + 6),
            std::vector<std::string>(
                {"layer_0_key", "layer_0_value", "layer_10_key", "layer_10_value", "layer_1_key", "layer_1_value"}));
}

TEST(KvCacheDescription, PackedFilesHaveScalesThenValues) {
  const auto names = written_names(Layout::packed);
  ASSERT_EQ(names.size(), 44u);
  EXPECT_EQ(names[0], "layer_0_key.scale");
  EXPECT_EQ(names[2], "layer_10_key.scale");
  EXPECT_EQ(names[21], "layer_9_value.scale");
  EXPECT_EQ(names[22], "layer_0_key");
  EXPECT_EQ(names[43], "layer_9_value");
}

TEST(KvCacheDescription, TokenIdsAreMetadata) {
  ModelDescription header = cache_header("kv-bare");
  header.metadata.set("token_ids", "0,1,22,333,4,5,6,2147483647");
  const auto file = kv::read_cache_file(header);
  ASSERT_TRUE(file) << file.error().detail;
  EXPECT_EQ(file->token_ids, (std::vector<uint32_t>{0, 1, 22, 333, 4, 5, 6, 2147483647}));
  EXPECT_FALSE(file->has_token_tensor);
  EXPECT_EQ(*kv::describe_cache_file(*file).metadata.find("token_ids")->as_string(), "0,1,22,333,4,5,6,2147483647");
  EXPECT_EQ(kv::describe_cache_file(*file).find_tensor("token_ids"), nullptr);
  for (const char* text : {"0,1,2,3,4,5,6,", ",0,1,2,3,4,5,6", "0,1,2,3,4,5,6,-7", "0,1,2,3,4,5,6,2147483648",
                           "0 1 2 3 4 5 6 7", "0,1,2,3,4,5,6,7 ", "a", "0,,2,3,4,5,6,7", "-", "0x1"}) {
    header.metadata.set("token_ids", text);
    const auto refused = kv::read_cache_file(header);
    ASSERT_FALSE(refused) << text;
    EXPECT_EQ(refused.error().reason, Reason::malformed) << text;
  }
  for (const char* text : {"", "1", "0,1,2,3,4,5,6", "0,1,2,3,4,5,6,7,8"}) {
    header.metadata.set("token_ids", text);
    EXPECT_EQ(kv::read_cache_file(header).error().reason, Reason::mismatch) << text;
  }
}

TEST(KvCacheDescription, MetadataDescribeTheStorageOfValues) {
  CacheFile file = *kv::read_cache_file(cache_header("kv-int4-packed"));
  file.storage = {.dtype = Dtype::bf16, .layout = Layout::rounded, .group = 4};
  EXPECT_EQ(write_json(kv::describe_cache_file(file).metadata),
            R"({"model":"tiny-llama","seq_len":"8","num_layers":"2","num_kv_heads":"2","head_dim":"8",)"
            R"("rope_theta":"10000.0","compression":"INT4","layout":"float","group_size":"4",)"
            R"("original_dtype":"bfloat16"})");
  file.storage = {.dtype = Dtype::f16};
  EXPECT_EQ(write_json(kv::describe_cache_file(file).metadata),
            R"({"model":"tiny-llama","seq_len":"8","num_layers":"2","num_kv_heads":"2","head_dim":"8",)"
            R"("rope_theta":"10000.0"})");
}

TEST(KvCacheDescription, TensorsAreRecognizedByName) {
  struct {
    const char* name;
    Kind kind;
    uint64_t layer;
    bool is_value;
  } const known[] = {{"layer_0_key", Kind::values, 0, false},
                     {"layer_0_value.scale", Kind::scales, 0, true},
                     {"layer_10_key.scale", Kind::scales, 10, false},
                     {"layer_18446744073709551615_value", Kind::values, UINT64_MAX, true},
                     {"token_ids", Kind::tokens, 0, false},
                     {"logits", Kind::logits, 0, false}};
  for (const auto& [name, kind, layer, is_value] : known) {
    const auto role = kv::tensor_role(name);
    ASSERT_TRUE(role) << name;
    EXPECT_EQ(role->kind, kind) << name;
    EXPECT_EQ(role->layer, layer) << name;
    EXPECT_EQ(role->is_value, is_value) << name;
  }
  for (const char* name : {"",
                           "layer_",
                           "layer_0",
                           "layer_key",
                           "layer__key",
                           "layer_0_keys",
                           "layer_0_key.scale.scale",
                           "layer_0_.scale",
                           "layer_007_key",
                           "layer_00_key",
                           "layer_+1_key",
                           "layer_-1_key",
                           "layer_ 1_key",
                           "layer_1 _key",
                           "layer_1.0_key",
                           "layer_0x1_key",
                           "layer_18446744073709551616_key",
                           "Layer_0_key",
                           "layer_0_value_scale",
                           "xlayer_0_key",
                           "logits.scale",
                           "token_ids.scale",
                           "key_cache.0"}) {
    EXPECT_FALSE(kv::tensor_role(name)) << name;
  }
}

TEST(KvCacheDescription, AbsentMetadataAreNotAnError) {
  ModelDescription packed = cache_header("kv-int4-packed");
  for (const char* key :
       {"model", "seq_len", "num_layers", "num_kv_heads", "head_dim", "rope_theta", "original_dtype"}) {
    packed.metadata.remove(key);
  }
  std::erase_if(packed.tensors, [](const TensorInfo& info) { return info.name == "token_ids"; });
  const auto file = kv::read_cache_file(packed);
  ASSERT_TRUE(file) << file.error().detail;
  EXPECT_TRUE(file->storage == (Storage{Dtype::f32, Layout::packed, 8}));
  EXPECT_FALSE(file->has_tokens());

  ModelDescription rounded = cache_header("kv-int4-float");
  rounded.metadata.remove("group_size");
  rounded.metadata.set("layout", "float");
  EXPECT_EQ(kv::read_cache_file(rounded)->storage.layout, Layout::rounded);
}

TEST(KvCacheDescription, PackedValuesRememberTheirType) {
  ModelDescription description = cache_header("kv-int4-packed");
  description.metadata.set("original_dtype", "float16");
  EXPECT_EQ(kv::read_cache_file(description)->storage.dtype, Dtype::f16);
  description.metadata.set("original_dtype", "bfloat16");
  EXPECT_EQ(kv::read_cache_file(description)->storage.dtype, Dtype::bf16);
}

// For floats, the tensors' own type counts.
TEST(KvCacheDescription, RoundedFloatsAreOfTheTypeThatTheyHave) {
  ModelDescription description = cache_header("kv-int4-float");
  description.metadata.set("original_dtype", "float16");
  EXPECT_EQ(kv::read_cache_file(description)->storage.dtype, Dtype::f32);
}

void add_layers(ModelDescription& description, uint64_t begin, uint64_t end) {
  for (uint64_t layer = begin; layer < end; ++layer) {
    for (const char* part : {"_key", "_value"}) {
      add_cache_tensor(description, ("layer_" + std::to_string(layer) + part).c_str(), Dtype::f16, {1, 1, 0, 2});
    }
  }
}

TEST(KvCacheDescription, ManyLayersTakeLinearTime) {
  constexpr uint64_t kLayers = 60'000;
  ModelDescription description;
  add_layers(description, 0, kLayers);
  std::ranges::reverse(description.tensors);
  const auto file = kv::read_cache_file(description);
  ASSERT_TRUE(file) << file.error().detail;
  EXPECT_EQ(file->shape.layers, kLayers);
  add_layers(description, kLayers, 70'000);
  EXPECT_FALSE(kv::read_cache_file(description)) << "more layers than a model may have";
}

}  // namespace
}  // namespace quintet::test
