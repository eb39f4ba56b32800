// The states of recurrent layers in the header of a KV cache file (docs/kv-cache.md).

#include <gtest/gtest.h>

#include <functional>
#include <tuple>
#include <vector>

#include "base/flag_list.h"
#include "formats/kv_cache/cache_file.h"
#include "formats/safetensors/header.h"
#include "tests/formats/kv_cache_headers.h"

namespace quintet::test {
namespace {

using Kind = kv::TensorRole::Kind;

// Four layers: a state alone, keys and values alone, both, and neither.
kv::CacheFile mixed(kv::Storage storage = {}) {
  kv::CacheFile file;
  file.shape = {.layers = 4, .kv_heads = 2, .positions = 70, .head_dim = 8};
  file.storage = storage;
  file.states = {.layers = {true, false, true}, .inputs = 3, .channels = 5, .values = 12, .checkpoints = {32, 64, 70}};
  file.layers_without_rows = {true, false, false, true};
  return file;
}

ModelDescription written(const kv::CacheFile& file) {
  ModelDescription description = kv::describe_cache_file(file);
  const auto header = safetensors::write_header(description);
  EXPECT_TRUE(header);
  return description;
}

TEST(KvCacheStates, SurviveTheRoundTrip) {
  for (const kv::Storage& storage :
       {kv::Storage{.dtype = Dtype::f16}, kv::Storage{.layout = kv::Layout::packed, .group = 8}}) {
    const kv::CacheFile file = mixed(storage);
    const ModelDescription description = written(file);
    EXPECT_EQ(*description.metadata.find("checkpoints")->as_string(), "32,64,70");
    const TensorInfo* convolution = description.find_tensor("layer_2_conv_state");
    ASSERT_NE(convolution, nullptr);
    EXPECT_EQ(convolution->dtype, Dtype::f32) << "whatever the type of keys and values";
    EXPECT_EQ(convolution->shape, (std::vector<uint64_t>{3, 3, 5}));
    EXPECT_EQ(description.find_tensor("layer_0_recurrent_state")->shape, (std::vector<uint64_t>{3, 12}));
    EXPECT_EQ(description.find_tensor("layer_0_key"), nullptr);
    EXPECT_EQ(description.find_tensor("layer_1_conv_state"), nullptr);
    const auto again = kv::read_cache_file(description);
    ASSERT_TRUE(again) << again.error().detail;
    EXPECT_EQ(again->shape, file.shape);
    EXPECT_EQ(again->states.layers, (FlagList{true, false, true, false}));
    EXPECT_EQ(again->layers_without_rows, file.layers_without_rows);
    EXPECT_EQ(again->states.inputs, 3U);
    EXPECT_EQ(again->states.channels, 5U);
    EXPECT_EQ(again->states.values, 12U);
    EXPECT_EQ(again->states.checkpoints, file.states.checkpoints);
    EXPECT_EQ(again->layers_with_rows(), 2U);
    EXPECT_EQ(kv::data_bytes(*again), kv::data_bytes(file));
  }
}

// Like a cache of a model with Mamba-2 in every layer: the number of positions is in the metadata.
kv::CacheFile states_alone() {
  kv::CacheFile file = mixed();
  file.shape = {.layers = 2, .positions = 70};
  file.states.layers = file.layers_without_rows = {true, true};
  return file;
}

TEST(KvCacheStates, NeedNoKeys) {
  const ModelDescription description = written(states_alone());
  EXPECT_EQ(description.tensors.size(), 4U);
  const auto read = kv::read_cache_file(description);
  ASSERT_TRUE(read) << read.error().detail;
  EXPECT_EQ(read->shape, states_alone().shape);
  EXPECT_EQ(read->states.checkpoints, states_alone().states.checkpoints);
  EXPECT_EQ(read->layers_with_rows(), 0U);
  EXPECT_EQ(kv::data_bytes(*read), 0U);
  for (const auto& [key, text, reason] :
       std::vector<std::tuple<const char*, const char*, Reason>>{{"seq_len", "71", Reason::mismatch},
                                                                 {"seq_len", "-70", Reason::malformed},
                                                                 {"seq_len", "18446744073709551615", Reason::malformed},
                                                                 {"token_ids", "1,2,3", Reason::mismatch}}) {
    ModelDescription other = description;
    other.metadata.set(key, text);
    const auto refused = kv::read_cache_file(other);
    ASSERT_FALSE(refused) << key << " " << text;
    EXPECT_EQ(refused.error().code, Code::format);
    EXPECT_EQ(refused.error().reason, reason) << key << " " << text;
  }
  ModelDescription unknown = description;
  unknown.metadata.remove("seq_len");
  EXPECT_EQ(kv::read_cache_file(unknown).error().reason, Reason::malformed);
}

// As written by a program that has only the state at the end.
TEST(KvCacheStates, WithoutCheckpointsTheStateIsThatAtTheEnd) {
  kv::CacheFile file = mixed();
  file.states.checkpoints = {70};
  ModelDescription description = written(file);
  for (const char* key : {"checkpoints", "num_layers"}) description.metadata.remove(key);
  const auto read = kv::read_cache_file(description);
  ASSERT_TRUE(read) << read.error().detail;
  EXPECT_EQ(read->states.checkpoints, std::vector<uint32_t>{70});
  EXPECT_EQ(read->shape.layers, 3U) << "the last that has something";
}

TEST(KvCacheStates, AnEmptyCacheHasNone) {
  kv::CacheFile file = mixed();
  file.shape.positions = 0;
  file.states.checkpoints = {};
  const ModelDescription description = written(file);
  EXPECT_EQ(description.metadata.find("checkpoints"), nullptr);
  const auto read = kv::read_cache_file(description);
  ASSERT_TRUE(read) << read.error().detail;
  EXPECT_TRUE(read->states.checkpoints.empty());
}

TEST(KvCacheStates, TensorsAreRecognizedByName) {
  EXPECT_EQ(kv::tensor_role("layer_7_conv_state")->kind, Kind::convolution);
  EXPECT_EQ(kv::tensor_role("layer_7_recurrent_state")->kind, Kind::recurrence);
  EXPECT_EQ(kv::tensor_role("layer_7_recurrent_state")->layer, 7U);
  for (const char* name : {"layer_07_conv_state", "layer_conv_state", "layer_7_state", "layer_7_conv_state.scale"}) {
    EXPECT_FALSE(kv::tensor_role(name)) << name;
  }
}

struct BrokenStates {
  const char* what;
  std::function<void(ModelDescription&)> edit;
  Reason reason;
  const char* tensor;  // that the error names
};

TensorInfo& tensor_named(ModelDescription& description, std::string_view name) {
  return const_cast<TensorInfo&>(*description.find_tensor(name));
}

auto without(const char* name) {
  return [name](ModelDescription& d) { std::erase_if(d.tensors, [&](const TensorInfo& i) { return i.name == name; }); };
}
auto with_shape(const char* name, std::vector<uint64_t> shape) {
  return [=](ModelDescription& d) { tensor_named(d, name).shape = shape; };
}
auto with_text(const char* key, const char* text) {
  return [=](ModelDescription& d) { d.metadata.set(key, text); };
}

constexpr const char *kConvolution = "layer_0_conv_state", *kRecurrence = "layer_0_recurrent_state";

const BrokenStates kBrokenStates[] = {
    {"a convolution without its other state", without(kRecurrence), Reason::missing, ""},
    {"a state without its convolution", without("layer_2_conv_state"), Reason::missing, ""},
    {"a key without its value", without("layer_1_value"), Reason::missing, ""},
    {"a key of one layer, a value of another",
     [](ModelDescription& d) { tensor_named(d, "layer_1_value").name = "layer_3_value"; }, Reason::missing, ""},
    {"two dimensions of three", with_shape(kConvolution, {3, 15}), Reason::mismatch, kConvolution},
    {"no inputs", with_shape(kConvolution, {3, 0, 5}), Reason::mismatch, kConvolution},
    {"no channels", with_shape(kConvolution, {3, 3, 0}), Reason::mismatch, kConvolution},
    {"a longer convolution than any", with_shape(kConvolution, {3, 65, 5}), Reason::mismatch, kConvolution},
    {"more channels than any", with_shape(kConvolution, {3, 3, uint64_t{1} << 40}), Reason::mismatch, kConvolution},
    {"another convolution", with_shape("layer_2_conv_state", {3, 3, 6}), Reason::mismatch, "layer_2_conv_state"},
    {"no values", with_shape(kRecurrence, {3, 0}), Reason::mismatch, kRecurrence},
    {"more values than any", with_shape(kRecurrence, {3, uint64_t{1} << 60}), Reason::mismatch, kRecurrence},
    {"values in three dimensions", with_shape(kRecurrence, {3, 4, 3}), Reason::mismatch, kRecurrence},
    {"other values", with_shape("layer_2_recurrent_state", {3, 13}), Reason::mismatch, "layer_2_recurrent_state"},
    {"fewer states than checkpoints", with_shape(kConvolution, {2, 3, 5}), Reason::mismatch, kConvolution},
    {"states of 16 bits", [](ModelDescription& d) { tensor_named(d, kConvolution).dtype = Dtype::f16; },
     Reason::mismatch, kConvolution},
    {"several states without checkpoints", [](ModelDescription& d) { d.metadata.remove("checkpoints"); },
     Reason::mismatch, kConvolution},
    {"a layer far beyond", [](ModelDescription& d) { tensor_named(d, kConvolution).name = "layer_65536_conv_state"; },
     Reason::mismatch, "layer_65536_conv_state"},
    {"no checkpoint", with_text("checkpoints", ""), Reason::mismatch, ""},
    {"a checkpoint at the start", with_text("checkpoints", "0,64,70"), Reason::mismatch, ""},
    {"a checkpoint twice", with_text("checkpoints", "64,64,70"), Reason::mismatch, ""},
    {"checkpoints in no order", with_text("checkpoints", "64,32,70"), Reason::mismatch, ""},
    {"checkpoints beyond the end", with_text("checkpoints", "32,64,71"), Reason::mismatch, ""},
    {"no checkpoint at the end", with_text("checkpoints", "32,64,69"), Reason::mismatch, ""},
    {"a text", with_text("checkpoints", "32,64,end"), Reason::malformed, ""},
    {"a negative checkpoint", with_text("checkpoints", "-1,64,70"), Reason::malformed, ""},
    {"fewer layers in the metadata", with_text("num_layers", "2"), Reason::mismatch, ""},
};

TEST(KvCacheStates, EveryRuleIsEnforced) {
  for (const auto& [what, edit, reason, tensor] : kBrokenStates) {
    SCOPED_TRACE(what);
    ModelDescription description = written(mixed());
    edit(description);
    const auto file = kv::read_cache_file(description);
    ASSERT_FALSE(file);
    EXPECT_EQ(file.error().code, Code::format);
    EXPECT_EQ(file.error().reason, reason) << file.error().detail;
    EXPECT_EQ(file.error().tensor, tensor) << file.error().detail;
    EXPECT_EQ(file.error().offset, 8u);
  }
}

}  // namespace
}  // namespace quintet::test
