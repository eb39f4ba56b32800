// Decoders from outside: GGUF files and the files of Hugging Face folders.

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "tests/formats/expected.h"
#include "tests/formats/gguf_builder.h"
#include "tests/formats/loading.h"

namespace quintet::test {
namespace {

// Rows of a query or key matrix in Hugging Face's order: ggml's row 2i + h of a head is row i + h * half.
std::vector<float> in_order(const std::vector<float>& rows, size_t cols, size_t head_dim) {
  std::vector<float> ordered(rows.size());
  for (size_t row = 0; row < rows.size() / cols; ++row) {
    const size_t head = row / head_dim, in_head = row % head_dim;
    const size_t to = head * head_dim + in_head / 2 + in_head % 2 * (head_dim / 2);
    std::copy_n(rows.begin() + static_cast<std::ptrdiff_t>(row * cols), cols,
                ordered.begin() + static_cast<std::ptrdiff_t>(to * cols));
  }
  return ordered;
}

bool is_interleaved(std::string_view name) {
  return name.find("q_proj") != name.npos || name.find("k_proj") != name.npos;
}

void expect_gguf(const GeneratorModel& model, const ReadFile& file) {
  const decoder::TensorNames names(file.description);
  for (const TensorInfo& info : file.description.tensors) {
    SCOPED_TRACE(info.name);
    const std::string name = names.huggingface_name(info.name);
    const auto held = held_values(model, name);
    ASSERT_TRUE(held);
    std::vector<float> expected = dequantized(file, info.name);
    if (is_interleaved(name)) {
      expected = in_order(expected, static_cast<size_t>(info.shape.back()), static_cast<size_t>(model.config.head_dim));
    }
    const WeightMatrix* matrix = held_matrix(model, name);
    const auto* blocks = matrix ? std::get_if<BlockMatrix>(matrix) : nullptr;
    if (blocks && blocks->layout().has_offsets) {
      expect_near_values(*held, expected, 2);
    } else {
      expect_same_values(*held, expected);
    }
  }
}

TEST(LoadedGguf, HasTheRowsOfHeadsInOrder) {
  const File file = tiny_gguf_llama().build();
  const auto read = read_file(file);
  ASSERT_TRUE(read);
  for (const size_t chunk : {size_t{1}, size_t{50}, SIZE_MAX}) {
    const auto model = load(file, {.chunk = chunk});
    ASSERT_TRUE(model) << model.error().detail;
    expect_gguf(**model, *read);
    EXPECT_EQ((*model)->vocabulary_size, 8);
  }
}

// ggml's number of the type, and the place of its FP16 scales in a block.
struct BlockType {
  uint32_t number;
  size_t values, bytes;
  std::vector<size_t> halves;
};
const BlockType kQ4_0{2, 32, 18, {0}}, kQ4_1{3, 32, 20, {0, 2}}, kQ5_0{6, 32, 22, {0}}, kQ5_1{7, 32, 24, {0, 2}},
    kQ8_0{8, 32, 34, {0}}, kQ4_K{12, 256, 144, {0, 2}}, kQ5_K{13, 256, 176, {0, 2}}, kQ6_K{14, 256, 210, {208}};

File random_blocks(const BlockType& type, size_t values, std::mt19937& random) {
  File bytes(values / type.values * type.bytes);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
  // Between 2^-7 and 2^-6, so that no value is infinite.
  for (size_t block = 0; block < bytes.size(); block += type.bytes) {
    for (const size_t half : type.halves) bytes[block + half + 1] = static_cast<std::byte>(0x20 | (random() & 3));
  }
  return bytes;
}

// Every block type somewhere: width 256, 4 heads of 64 with 2 for keys and values.
File quantized_gguf(uint32_t context = 64) {
  std::mt19937 random(7);
  GgufBuilder builder;
  builder.text("general.architecture", "llama").u32("llama.block_count", 1).u32("llama.context_length", context);
  builder.u32("llama.embedding_length", 256).u32("llama.feed_forward_length", 256).u32("llama.attention.head_count", 4);
  builder.u32("llama.attention.head_count_kv", 2).f32("llama.attention.layer_norm_rms_epsilon", 1e-5F);
  const auto matrix = [&](std::string_view name, uint64_t rows, const BlockType& type) {
    builder.tensor(name, {256, rows}, type.number, random_blocks(type, rows * 256, random));
  };
  const auto norm = [&](std::string_view name) { builder.tensor(name, {256}, 0, File(256 * 4)); };
  matrix("token_embd.weight", 20, kQ6_K);
  norm("blk.0.attn_norm.weight");
  matrix("blk.0.attn_q.weight", 256, kQ4_K);
  matrix("blk.0.attn_k.weight", 128, kQ4_0);
  matrix("blk.0.attn_v.weight", 128, kQ5_0);
  matrix("blk.0.attn_output.weight", 256, kQ5_K);
  norm("blk.0.ffn_norm.weight");
  matrix("blk.0.ffn_gate.weight", 256, kQ4_1);
  matrix("blk.0.ffn_up.weight", 256, kQ5_1);
  matrix("blk.0.ffn_down.weight", 256, kQ8_0);
  norm("output_norm.weight");
  return builder.build();
}

TEST(LoadedGguf, HoldsEveryBlockType) {
  const File file = quantized_gguf();
  const auto read = read_file(file);
  ASSERT_TRUE(read) << read.error().detail;
  for (const size_t chunk : {size_t{13}, size_t{1000}, SIZE_MAX}) {
    const auto model = load(file, {.chunk = chunk});
    ASSERT_TRUE(model) << model.error().detail;
    expect_gguf(**model, *read);
  }
}

TEST(LoadedGguf, PredictsTheMemoryItTakes) {
  const File file = quantized_gguf();
  const auto model = load(file);
  ASSERT_TRUE(model);
  // A KV cache of 64 positions: 2 heads of 64 for keys and for values, in float32.
  const uint64_t needed = (*model)->weights.bytes() + uint64_t{64} * 2 * 64 * 2 * 4;
  EXPECT_TRUE(load(file, {.available = needed}));
  const auto refused = load(file, {.available = needed - 1});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::memory);
}

// A KV cache of one position takes 2 * 2 * 64 floats here, 1 KB.
TEST(LoadedGguf, OfALongContextTakesWhatFits) {
  const File file = quantized_gguf(1 << 17);
  const auto context = [&](uint64_t cache_kilobytes, uint64_t asked) {
    const uint64_t weights = (*load(quantized_gguf()))->weights.bytes();
    const auto model =
        load(file, {.options = {.context_length = asked}, .available = weights + cache_kilobytes * 1024});
    return model ? (*model)->context_length : 0;
  };
  EXPECT_EQ(context(1 << 17, 0), 1u << 17);
  EXPECT_EQ(context((1 << 17) - 1, 0), 1u << 16);
  EXPECT_EQ(context(5000, 0), 4096u);
  EXPECT_EQ(context(4096, 0), 4096u);
  EXPECT_EQ(context(4095, 0), 0u);
  EXPECT_EQ(context(4095, 4064), 4064u);  // whole pages of 32
  EXPECT_EQ(context(5000, 1 << 17), 0u);
}

TEST(LoadedGguf, OfAnotherFormatIsRejected) {
  const auto refused = load(tiny_gguf_llama().build(), {.format = Format::amb});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().reason, Reason::bad_magic);
}

// The folder of the model that is llama-f32.amb.
struct FolderFiles {
  File config = file_of(R"({"model_type":"llama","vocab_size":64,"hidden_size":32,"num_hidden_layers":2,
      "num_attention_heads":4,"num_key_value_heads":2,"intermediate_size":48,"hidden_act":"silu",
      "max_position_embeddings":128,"rms_norm_eps":1e-5,"tie_word_embeddings":false})");
  ReadFile read = *read_file(fixture("amb/llama-f32.amb"));
  std::vector<PlainTensorF32> tensors;

  FolderFiles() {
    for (const TensorInfo& info : read.description.tensors) {
      tensors.push_back({info.name, info.shape, dequantized(read, info.name)});
    }
  }
  File shard(size_t begin, size_t end) const {
    return safetensors_of(
        {tensors.begin() + static_cast<std::ptrdiff_t>(begin), tensors.begin() + static_cast<std::ptrdiff_t>(end)});
  }
  File whole() const { return shard(0, tensors.size()); }
};

void expect_folder(const LoadedModel& model, const FolderFiles& folder) {
  ASSERT_TRUE(model) << model.error().detail;
  for (const auto& [name, shape, values] : folder.tensors) {
    SCOPED_TRACE(name);
    const auto held = held_values(**model, name);
    ASSERT_TRUE(held);
    expect_same_values(*held, values);
  }
}

TEST(LoadedFolder, HoldsTheTensorsOfItsFiles) {
  const FolderFiles folder;
  for (const size_t chunk : {size_t{1}, size_t{1000}, SIZE_MAX}) {
    expect_folder(load({{"m/config.json", folder.config}, {"m/model.safetensors", folder.whole()}}, {.chunk = chunk}),
                  folder);
  }
  const File index = file_of(R"({"weight_map":{"model.norm.weight":"b.safetensors"}})");
  expect_folder(load({{"config.json", folder.config},
                      {"model.safetensors.index.json", index},
                      {"a.safetensors", folder.shard(0, 9)},
                      {"b.safetensors", folder.shard(9, folder.tensors.size())}}),
                folder);
}

TEST(LoadedFolder, LeavesBuffersOut) {
  FolderFiles folder;
  auto tensors = folder.tensors;
  tensors.push_back({"model.layers.0.self_attn.rotary_emb.inv_freq", {4}, {1, 2, 3, 4}});
  expect_folder(load({{"config.json", folder.config}, {"model.safetensors", safetensors_of(tensors)}}), folder);
}

TEST(LoadedFolder, IsNotQuantizedWhereAValueIsNotFinite) {
  FolderFiles folder;
  folder.tensors[2].values[100] = std::numeric_limits<float>::infinity();
  const NamedFiles files = {{"config.json", folder.config}, {"model.safetensors", folder.whole()}};
  expect_folder(load(files), folder);
  const auto refused = load(files, {.options = {.quantize = GeneratorOptions::Quantize::int8}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::input);
  EXPECT_EQ(refused.error().reason, Reason::out_of_range);
  EXPECT_EQ(refused.error().tensor, folder.tensors[2].name);
}

TEST(LoadedFolder, WithoutItsConfigIsRejected) {
  const FolderFiles folder;
  const auto alone = load({{"model.safetensors", folder.whole()}});
  ASSERT_FALSE(alone);
  EXPECT_EQ(alone.error().code, Code::input);
  EXPECT_NE(alone.error().detail.find("config.json"), std::string::npos);
  EXPECT_EQ(alone.error().format, "safetensors");
  const auto late = load({{"model.safetensors", folder.whole()}, {"config.json", folder.config}});
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code, Code::input);
  EXPECT_EQ(load({{"config.json", folder.config}}).error().code, Code::input);
}

TEST(LoadedFolder, WithFilesThatDoNotFitTogetherIsRejected) {
  const FolderFiles folder;
  const auto missing = load({{"config.json", folder.config}, {"model.safetensors", folder.shard(0, 20)}});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().reason, Reason::missing);
  EXPECT_EQ(missing.error().tensor, "lm_head.weight");
  const auto twice =
      load({{"config.json", folder.config}, {"a.safetensors", folder.whole()}, {"b.safetensors", folder.shard(3, 4)}});
  ASSERT_FALSE(twice);
  EXPECT_EQ(twice.error().reason, Reason::duplicate);
  const auto other = load({{"config.json", folder.config}, {"model.amb", fixture("amb/llama-f32.amb")}});
  ASSERT_FALSE(other);
  const auto after =
      load({{"config.json", folder.config}, {"a.safetensors", folder.shard(0, 9)}, {"tokenizer.json", file_of("{}")}});
  ASSERT_FALSE(after);
  EXPECT_EQ(after.error().code, Code::input);
}

}  // namespace
}  // namespace quintet::test
