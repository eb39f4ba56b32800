// Headers of KV cache files that break the rules, one by one (docs/kv-cache.md).

#include <gtest/gtest.h>

#include <functional>

#include "formats/kv_cache/cache_file.h"
#include "tests/formats/kv_cache_headers.h"

namespace quintet::test {
namespace {

struct BrokenCache {
  const char* what;
  const char* base;
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
auto with_dtype(const char* name, Dtype dtype) {
  return [=](ModelDescription& d) { tensor_named(d, name).dtype = dtype; };
}
auto with_text(const char* key, const char* text) {
  return [=](ModelDescription& d) { d.metadata.set(key, text); };
}
auto with_tensor(const char* name, Dtype dtype, std::vector<uint64_t> shape) {
  return [=](ModelDescription& d) { add_cache_tensor(d, name, dtype, shape); };
}
// Changes the shapes of all keys and values.
auto with_all_shapes(std::vector<uint64_t> shape) {
  return [=](ModelDescription& d) {
    for (TensorInfo& info : d.tensors) {
      if (info.name.starts_with("layer_")) info.shape = shape;
    }
  };
}

const BrokenCache kBrokenCaches[] = {
    {"no tensor", "kv-f32", [](ModelDescription& d) { d.tensors.clear(); }, Reason::missing, ""},
    {"tokens alone", "kv-f32",
     [](ModelDescription& d) { std::erase_if(d.tensors, [](const auto& i) { return i.name != "token_ids"; }); },
     Reason::missing, ""},
    {"scales alone", "kv-int4-packed",
     [](ModelDescription& d) { std::erase_if(d.tensors, [](const auto& i) { return !i.name.ends_with(".scale"); }); },
     Reason::missing, ""},
    {"another tensor", "kv-f32", with_tensor("weight", Dtype::f32, {1}), Reason::unknown_value, "weight"},
    {"no value of the last layer", "kv-f32", without("layer_1_value"), Reason::missing, ""},
    {"no key of the first layer", "kv-f32", without("layer_0_key"), Reason::missing, ""},
    {"a layer left out", "kv-f32", [](ModelDescription& d) { tensor_named(d, "layer_1_key").name = "layer_2_key"; },
     Reason::mismatch, "layer_2_key"},
    {"two values of different layers", "kv-f32",
     [](ModelDescription& d) { tensor_named(d, "layer_1_key").name = "layer_2_value"; }, Reason::mismatch,
     "layer_2_value"},
    {"a layer far beyond", "kv-f32",
     [](ModelDescription& d) { tensor_named(d, "layer_1_value").name = "layer_18446744073709551615_value"; },
     Reason::mismatch, "layer_18446744073709551615_value"},
    {"the first of three dimensions", "kv-f32", with_shape("layer_0_key", {2, 8, 8}), Reason::mismatch, "layer_0_key"},
    {"a later one of three", "kv-f32", with_shape("layer_1_value", {2, 8, 8}), Reason::mismatch, "layer_1_value"},
    {"a batch", "kv-f32", with_all_shapes({2, 2, 8, 8}), Reason::mismatch, "layer_0_key"},
    {"no heads", "kv-f32", with_all_shapes({1, 0, 8, 8}), Reason::mismatch, "layer_0_key"},
    {"empty heads", "kv-f32", with_all_shapes({1, 2, 8, 0}), Reason::mismatch, "layer_0_key"},
    {"more heads than any model", "kv-bare", with_all_shapes({1, uint64_t{1} << 40, 0, 8}), Reason::mismatch,
     "layer_0_key"},
    {"larger heads than any model", "kv-bare", with_all_shapes({1, 1, 0, uint64_t{1} << 63}), Reason::mismatch,
     "layer_0_key"},
    {"longer than any model", "kv-bare", with_all_shapes({1, 1, uint64_t{1} << 40, 1}), Reason::mismatch,
     "layer_0_key"},
    {"another length", "kv-f32", with_shape("layer_1_key", {1, 2, 7, 8}), Reason::mismatch, "layer_1_key"},
    {"integers", "kv-f32", with_dtype("layer_0_key", Dtype::i32), Reason::mismatch, "layer_0_key"},
    {"doubles", "kv-f32", with_dtype("layer_0_key", Dtype::f64), Reason::mismatch, "layer_0_key"},
    {"two types", "kv-f32", with_dtype("layer_1_value", Dtype::f16), Reason::mismatch, "layer_1_value"},
    {"packed without saying so", "kv-int4-packed", [](ModelDescription& d) { d.metadata.remove("layout"); },
     Reason::mismatch, "layer_0_key"},
    {"floats that are said to be packed", "kv-int4-float", with_text("layout", "packed"), Reason::mismatch,
     "layer_0_key"},
    {"scales of floats", "kv-f32", with_tensor("layer_0_key.scale", Dtype::f16, {1, 2, 8, 8}), Reason::missing, ""},
    {"a scale is missing", "kv-int4-packed", without("layer_1_key.scale"), Reason::missing, ""},
    {"scales of a layer beyond", "kv-int4-packed",
     [](ModelDescription& d) { tensor_named(d, "layer_1_key.scale").name = "layer_2_key.scale"; }, Reason::mismatch,
     "layer_2_key.scale"},
    {"scales in 32 bits", "kv-int4-packed", with_dtype("layer_0_value.scale", Dtype::f32), Reason::mismatch,
     "layer_0_value.scale"},
    {"too many scales", "kv-int4-packed", with_shape("layer_0_value.scale", {1, 2, 8, 2}), Reason::mismatch,
     "layer_0_value.scale"},
    {"too few tokens", "kv-f32", with_shape("token_ids", {7}), Reason::mismatch, "token_ids"},
    {"tokens in two dimensions", "kv-f32", with_shape("token_ids", {1, 8}), Reason::mismatch, "token_ids"},
    {"tokens in 64 bits", "kv-f32", with_dtype("token_ids", Dtype::i64), Reason::mismatch, "token_ids"},
    {"logits of 16 bits", "kv-f32", with_tensor("logits", Dtype::f16, {64}), Reason::mismatch, "logits"},
    {"logits in two dimensions", "kv-f32", with_tensor("logits", Dtype::f32, {1, 64}), Reason::mismatch, "logits"},
    {"one logit without a dimension", "kv-f32", with_tensor("logits", Dtype::f32, {}), Reason::mismatch, "logits"},
    {"a layout without compression", "kv-f32", with_text("layout", "float"), Reason::missing, ""},
    {"an unknown layout", "kv-int4-float", with_text("layout", "PACKED"), Reason::unknown_value, ""},
    {"an unknown compression", "kv-f32", with_text("compression", "INT8"), Reason::unknown_value, ""},
    {"an empty compression", "kv-f32", with_text("compression", ""), Reason::unknown_value, ""},
    {"an unknown type before", "kv-int4-packed", with_text("original_dtype", "int8"), Reason::unknown_value, ""},
    {"no group", "kv-int4-packed", [](ModelDescription& d) { d.metadata.remove("group_size"); }, Reason::malformed, ""},
    {"a group that divides nothing", "kv-int4-packed", with_text("group_size", "3"), Reason::mismatch, ""},
    {"a larger group", "kv-int4-packed", with_text("group_size", "16"), Reason::mismatch, ""},
    {"a group that is 8 in 32 bits", "kv-int4-packed", with_text("group_size", "4294967304"), Reason::mismatch, ""},
    {"a smaller group than the scales", "kv-int4-packed", with_text("group_size", "4"), Reason::mismatch,
     "layer_0_key.scale"},
    {"another length in the metadata", "kv-f32", with_text("seq_len", "7"), Reason::mismatch, ""},
    {"other layers in the metadata", "kv-f32", with_text("num_layers", "3"), Reason::mismatch, ""},
    {"other heads in the metadata", "kv-f32", with_text("num_kv_heads", "1"), Reason::mismatch, ""},
    {"larger heads in the metadata", "kv-int4-packed", with_text("head_dim", "4"), Reason::mismatch, ""},
    {"no number in the metadata", "kv-f32", with_text("num_layers", "2.0"), Reason::mismatch, ""},
    {"a number beyond 64 bits", "kv-f32", with_text("num_layers", "18446744073709551618"), Reason::mismatch, ""},
};

TEST(KvCacheRules, EveryRuleIsEnforced) {
  for (const auto& [what, base, edit, reason, tensor] : kBrokenCaches) {
    SCOPED_TRACE(what);
    ModelDescription description = cache_header(base);
    edit(description);
    const auto file = kv::read_cache_file(description);
    ASSERT_FALSE(file);
    EXPECT_EQ(file.error().code, Code::format);
    EXPECT_EQ(file.error().reason, reason) << file.error().detail;
    EXPECT_EQ(file.error().tensor, tensor);
    EXPECT_EQ(file.error().offset, 8u);
    EXPECT_FALSE(file.error().detail.empty());
  }
}

TEST(KvCacheRules, AGroupIsANaturalNumber) {
  for (const char* base : {"kv-int4-packed", "kv-int4-float"}) {
    for (const char* text : {"0", "-8", "+8", "abc", "64x", "8 ", " 8", "", "8.0", "0x8", "99999999999999999999999"}) {
      ModelDescription description = cache_header(base);
      description.metadata.set("group_size", text);
      const auto file = kv::read_cache_file(description);
      ASSERT_FALSE(file) << base << " \"" << text << '"';
      EXPECT_EQ(file.error().reason, Reason::malformed);
    }
  }
}

}  // namespace
}  // namespace quintet::test
