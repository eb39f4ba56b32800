#include "tests/formats/gguf_builder.h"

#include <gtest/gtest.h>

#include "base/bytes.h"

namespace quintet::test {
namespace {

template <class T>
GgufBytes array(uint32_t type, const std::vector<T>& elements) {
  GgufBytes out;
  out.number(type).number(uint64_t{elements.size()});
  for (const T& element : elements) {
    if constexpr (std::is_same_v<T, std::string>) {
      out.string(element);
    } else {
      out.number(element);
    }
  }
  return out;
}

}  // namespace

GgufBytes& GgufBytes::raw(std::string_view text) {
  const Bytes added = as_bytes(text);
  bytes.insert(bytes.end(), added.begin(), added.end());
  return *this;
}

GgufBytes& GgufBytes::string(std::string_view text) { return number(uint64_t{text.size()}).raw(text); }

GgufBytes& GgufBytes::zeros_to(size_t alignment) {
  bytes.resize((bytes.size() + alignment - 1) / alignment * alignment);
  return *this;
}

GgufBuilder& GgufBuilder::value(std::string_view key, uint32_t type, const GgufBytes& value) {
  ++values_;
  metadata_.string(key).number(type).raw(as_text(value.bytes));
  return *this;
}

GgufBuilder& GgufBuilder::text(std::string_view key, std::string_view text) {
  return value(key, kGgufString, GgufBytes().string(text));
}
GgufBuilder& GgufBuilder::u32(std::string_view key, uint32_t number) {
  return value(key, kGgufU32, GgufBytes().number(number));
}
GgufBuilder& GgufBuilder::f32(std::string_view key, float number) {
  return value(key, kGgufF32, GgufBytes().number(number));
}
GgufBuilder& GgufBuilder::strings(std::string_view key, const std::vector<std::string>& strings) {
  return value(key, kGgufArray, array(kGgufString, strings));
}
GgufBuilder& GgufBuilder::floats(std::string_view key, const std::vector<float>& numbers) {
  return value(key, kGgufArray, array(kGgufF32, numbers));
}
GgufBuilder& GgufBuilder::ints(std::string_view key, const std::vector<int32_t>& numbers) {
  return value(key, kGgufArray, array(kGgufI32, numbers));
}

GgufBuilder& GgufBuilder::tensor(std::string_view name, const std::vector<uint64_t>& dimensions, uint32_t type,
                                 const File& data) {
  data_.zeros_to(alignment);
  return tensor_at(data_.bytes.size(), name, dimensions, type, data);
}

GgufBuilder& GgufBuilder::tensor_at(uint64_t offset, std::string_view name, const std::vector<uint64_t>& dimensions,
                                    uint32_t type, const File& data) {
  ++tensors_;
  index_.string(name).number(static_cast<uint32_t>(dimensions.size()));
  for (const uint64_t dimension : dimensions) index_.number(dimension);
  index_.number(type).number(offset);
  data_.raw(as_text(data));
  return *this;
}

File GgufBuilder::build() const {
  GgufBytes out;
  out.raw("GGUF").number(version).number(tensors_).number(values_);
  out.raw(as_text(metadata_.bytes)).raw(as_text(index_.bytes));
  if (tensors_ != 0) out.zeros_to(alignment);
  out.raw(as_text(data_.bytes));
  if (pads_the_end) out.zeros_to(alignment);
  return out.bytes;
}

GgufBuilder tiny_gguf_llama() {
  GgufBuilder builder;
  builder.text("general.architecture", "llama").u32("llama.block_count", 1).u32("llama.context_length", 64);
  builder.u32("llama.embedding_length", 16).u32("llama.feed_forward_length", 24).u32("llama.attention.head_count", 4);
  builder.u32("llama.attention.head_count_kv", 2).f32("llama.attention.layer_norm_rms_epsilon", 0.25F);
  builder.f32("llama.rope.freq_base", 500000).u32("llama.rope.dimension_count", 4);
  builder.text("tokenizer.ggml.model", "llama");
  builder.strings("tokenizer.ggml.tokens", {"<unk>", "<s>", "</s>", "<0x0A>", "▁", "a", "▁a", "b"});
  builder.floats("tokenizer.ggml.scores", {0, 0, 0, 0, -1, -2, -0.5, -3});
  builder.ints("tokenizer.ggml.token_type", {2, 3, 3, 6, 1, 1, 1, 4});
  builder.u32("tokenizer.ggml.bos_token_id", 1).u32("tokenizer.ggml.eos_token_id", 2);
  const auto matrix = [&builder](std::string_view name, uint64_t rows, uint64_t cols) {
    builder.tensor(name, {cols, rows}, 0, counting_bytes(rows * cols * 4));
  };
  const auto norm = [&builder](std::string_view name) { builder.tensor(name, {16}, 0, counting_bytes(64)); };
  matrix("token_embd.weight", 8, 16);
  norm("blk.0.attn_norm.weight");
  matrix("blk.0.attn_q.weight", 16, 16);
  matrix("blk.0.attn_k.weight", 8, 16);
  matrix("blk.0.attn_v.weight", 8, 16);
  matrix("blk.0.attn_output.weight", 16, 16);
  norm("blk.0.ffn_norm.weight");
  matrix("blk.0.ffn_gate.weight", 24, 16);
  matrix("blk.0.ffn_up.weight", 24, 16);
  matrix("blk.0.ffn_down.weight", 16, 24);
  norm("output_norm.weight");
  return builder;
}

File counting_bytes(size_t count) {
  File bytes(count);
  for (size_t i = 0; i < count; ++i) bytes[i] = static_cast<std::byte>(i);
  return bytes;
}

size_t place_of(const File& file, std::string_view text) {
  const size_t at = as_text(file).find(text);
  EXPECT_NE(at, std::string_view::npos) << text;
  return at;
}

}  // namespace quintet::test
