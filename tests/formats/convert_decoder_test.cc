// Conversions of decoders between AMB, ALT, GGUF, safetensors and Hugging Face folders, read back
// by the plain readers.

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "tests/formats/converting.h"
#include "tests/formats/expected.h"
#include "tests/formats/gguf_builder.h"
#include "tests/formats/plain_amb.h"

namespace quintet::test {
namespace {

using Values = std::map<std::string, std::vector<float>>;

Values values_of(const File& file) {
  const auto read = read_file(file);
  EXPECT_TRUE(read) << read.error().detail;
  Values values;
  for (const TensorInfo& info : read->description.tensors) values[info.name] = dequantized(*read, info.name);
  return values;
}

Values amb_values(const File& file) {
  Values values;
  for (auto& [name, tensor] : read_plain_amb(file).tensors) values[name] = tensor.values;
  return values;
}

File converted(const File& file, std::string_view options, const Feeding& how = {}) {
  auto result = convert(file, options, how);
  EXPECT_TRUE(result) << options << ": " << result.error().detail << " " << result.error().tensor;
  return result.value_or(File());
}

std::string hex(Bytes bytes) {
  std::string text;
  for (const std::byte byte : bytes) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    text += kDigits[std::to_integer<size_t>(byte) >> 4];
    text += kDigits[std::to_integer<size_t>(byte) & 15];
  }
  return text;
}

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(c));
  return text;
}

// llama-f32.amb with the fixture's matrix put over the first values of a layer's gate: 3 x 50 of
// them fill rows of a tensor whose quantized blocks begin at its first value.
TEST(ConvertAmb, QuantizersGiveTheBytesOfTheFixture) {
  const File source = fixture("amb/quantize-source.f32");
  for (const Json& entry : *json_fixture("amb/quantized.json").as_array()) {
    const std::string dtype = *entry.find("dtype")->as_string();
    const std::string options = R"({"to":"amb","quantize":")" + lower(dtype) + R"(","groupSize":)" +
                                std::to_string(*entry.find("block")->as_uint()) + R"(,"scaleType":")" +
                                lower(*entry.find("scale_type")->as_string()) + "\"}";
    // One layer of width 50, whose gate has 3 rows.
    GgufBuilder builder;
    builder.text("general.architecture", "llama").u32("llama.block_count", 1).u32("llama.embedding_length", 50);
    builder.u32("llama.feed_forward_length", 3).u32("llama.attention.head_count", 1).u32("llama.vocab_size", 4);
    builder.u32("llama.context_length", 16).f32("llama.attention.layer_norm_rms_epsilon", 1e-5F);
    const auto zeros = [](size_t values) { return File(values * sizeof(float)); };
    builder.tensor("token_embd.weight", {50, 4}, 0, zeros(200));
    for (const char* name : {"attn_q", "attn_k", "attn_v", "attn_output"}) {
      builder.tensor("blk.0." + std::string(name) + ".weight", {50, 50}, 0, zeros(2500));
    }
    builder.tensor("blk.0.attn_norm.weight", {50}, 0, zeros(50)).tensor("blk.0.ffn_norm.weight", {50}, 0, zeros(50));
    builder.tensor("blk.0.ffn_gate.weight", {50, 3}, 0, source).tensor("blk.0.ffn_up.weight", {50, 3}, 0, zeros(150));
    builder.tensor("blk.0.ffn_down.weight", {3, 50}, 0, zeros(150)).tensor("output_norm.weight", {50}, 0, zeros(50));
    const File file = converted(builder.build(), options);
    const auto read = read_file(file);
    ASSERT_TRUE(read) << options;
    const TensorInfo* gate = read->description.find_tensor("model.layers.0.mlp.gate_proj.weight");
    ASSERT_TRUE(gate);
    EXPECT_EQ(hex(Bytes(file).subspan(gate->offset, gate->bytes)), *entry.find("data_hex")->as_string()) << options;
    EXPECT_EQ(hex(Bytes(file).subspan(gate->scales_offset, gate->scales_bytes)),
              *entry.find("scales_hex")->as_string());
  }
}

TEST(ConvertAmb, KeepsEveryFixtureAndReachesAFixedPoint) {
  for (const std::string& name : fixture_files("amb/expected.json")) {
    SCOPED_TRACE(name);
    const File file = fixture("amb/" + name);
    const File once = converted(file, R"({"to":"amb"})");
    EXPECT_EQ(converted(once, R"({"to":"amb"})", {.chunk = 11}), once);
    const auto before = amb_values(file), after = amb_values(once);
    ASSERT_EQ(before.size(), after.size());
    for (const auto& [tensor, values] : before) {
      // NaN scales are kept: compare bits.
      EXPECT_EQ(std::memcmp(values.data(), after.at(tensor).data(), values.size() * sizeof(float)), 0) << tensor;
    }
  }
}

TEST(ConvertAmb, OnlyMatricesLosePrecision) {
  const PlainAmb file =
      read_plain_amb(converted(fixture("amb/llama-f32.amb"), R"({"to":"amb","quantize":"int4block"})"));
  EXPECT_NE(file.config.find(R"("quant":{"type":"int4_block","block_size":32,"scale_type":"fp16"})"),
            std::string::npos);
  for (const auto& [name, tensor] : file.tensors) {
    EXPECT_EQ(tensor.type, tensor.shape.size() == 2 ? 6 : 0) << name;
  }
}

TEST(ConvertAmb, AdaptiveKeepsToItsBudget) {
  const File source = fixture("amb/llama-f32.amb");
  const Values exact = amb_values(source);
  double last_error = INFINITY;
  for (const double bits : {4.6, 5.5, 7.0, 9.0}) {
    const File file =
        converted(source, R"({"to":"amb","quantize":"adaptive","groupSize":32,"bits":)" + std::to_string(bits) + "}");
    const auto read = read_file(file);
    uint64_t stored = 0, elements = 0;
    double error = 0;
    for (const TensorInfo& info : read->description.tensors) {
      if (info.shape.size() != 2) continue;
      stored += info.bytes * 8;
      elements += info.elements();
      const std::vector<float> values = dequantized(*read, info.name);
      for (size_t i = 0; i < values.size(); ++i) error += std::pow(values[i] - exact.at(info.name)[i], 2);
    }
    EXPECT_LE(static_cast<double>(stored), bits * static_cast<double>(elements)) << bits;
    EXPECT_LT(error, last_error) << bits;
    last_error = error;
  }
}

TEST(ConvertDecoder, AltAndAmbHoldTheSameValues) {
  for (const char* name : {"f32", "f16", "q8-sym", "q4-sym-packed", "q4-sym-unpacked"}) {
    SCOPED_TRACE(name);
    const File alt = fixture("alt/" + std::string(name) + ".alt");
    const File amb = converted(alt, R"({"to":"amb"})");
    EXPECT_EQ(values_of(alt), amb_values(amb));
    const PlainAmb plain = read_plain_amb(amb);
    EXPECT_EQ(plain.tokenizer.type, 1);
    EXPECT_EQ(plain.tokenizer.special, (std::vector<int>{1, 2, 0xFFFF, 0, 0xFFFF}));
    const File back = converted(amb, R"({"to":"alt"})");
    EXPECT_EQ(values_of(back), values_of(alt));
    const auto before = read_file(alt), after = read_file(back);
    const TokenizerDescription &first = before->description.tokenizer, &last = after->description.tokenizer;
    EXPECT_EQ(first.sentencepiece()->scores, last.sentencepiece()->scores);
    EXPECT_EQ(first.piece_types, last.piece_types);
    for (const char* key :
         {"hidden_size", "num_attention_heads", "num_key_value_heads", "sliding_window", "rope_theta"}) {
      EXPECT_EQ(after->description.config.find(key)->as_double(), before->description.config.find(key)->as_double())
          << key;
    }
  }
}

TEST(ConvertDecoder, AltIsQuantizedWithinHalfAStep) {
  const File alt = fixture("alt/f32.alt");
  const Values exact = values_of(alt);
  for (const auto& [quantize, steps] : {std::pair("int8", 127.0), std::pair("int4", 7.0)}) {
    const auto read = read_file(converted(alt, R"({"to":"alt","quantize":")" + std::string(quantize) + "\"}"));
    ASSERT_TRUE(read);
    for (const TensorInfo& info : read->description.tensors) {
      const std::vector<float> values = dequantized(*read, info.name);
      double largest = 0;
      for (const float value : exact.at(info.name)) largest = std::max(largest, std::fabs(double{value}));
      for (size_t i = 0; i < values.size(); ++i) {
        ASSERT_NEAR(values[i], exact.at(info.name)[i], largest / steps * 0.5001) << info.name;
      }
    }
  }
}

TEST(ConvertDecoder, SafetensorsHoldPlainValues) {
  for (const char* path : {"amb/llama-f32.amb", "amb/llama-adaptive.amb", "alt/q4-aff-packed.alt"}) {
    const File file = fixture(path);
    const File plain = converted(file, R"({"to":"safetensors"})");
    const auto read = read_file(plain);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->description.format, Format::safetensors);
    EXPECT_EQ(values_of(plain), values_of(file));
    const auto halves = read_file(converted(file, R"({"to":"safetensors","quantize":"bf16"})"));
    for (const TensorInfo& info : halves->description.tensors) EXPECT_EQ(info.dtype, Dtype::bf16);
  }
}

// A block of Q4_0 or Q8_0: a scale in half precision, and bytes.
File blocks(size_t count, size_t bytes) {
  File data;
  uint32_t random = 1;
  for (size_t i = 0; i < count; ++i) {
    const uint16_t scale = static_cast<uint16_t>(0x2C00 + i * 37);
    data.insert(data.end(), {std::byte(scale & 255), std::byte(scale >> 8)});
    for (size_t b = 0; b < bytes; ++b) {
      random = random * 1664525 + 1013904223;
      data.push_back(static_cast<std::byte>(random >> 24));
    }
  }
  return data;
}

// ggml's own words: low halves of the bytes are values 0 to 15, high halves 16 to 31, 8 too large.
float half_scale(const File& data, size_t block, size_t stride) {
  const auto bits =
      std::to_integer<uint32_t>(data[block * stride]) | std::to_integer<uint32_t>(data[block * stride + 1]) << 8;
  return std::ldexp(static_cast<float>(1024 + (bits & 1023)), static_cast<int>(bits >> 10) - 25);
}

TEST(ConvertGguf, FourAndEightBitsAreTakenWithoutLoss) {
  constexpr size_t kWidth = 64;
  constexpr uint32_t kQ4 = 2, kQ8 = 8;
  const File q4 = blocks(kWidth * kWidth / 32, 16), q8 = blocks(kWidth * kWidth / 32, 32);
  GgufBuilder builder;
  builder.text("general.architecture", "llama").u32("llama.block_count", 1).u32("llama.embedding_length", kWidth);
  builder.u32("llama.feed_forward_length", kWidth).u32("llama.attention.head_count", 4).u32("llama.vocab_size", kWidth);
  builder.u32("llama.context_length", 16).f32("llama.attention.layer_norm_rms_epsilon", 1e-5F);
  builder.tensor("token_embd.weight", {kWidth, kWidth}, kQ8, q8);
  for (const char* name : {"attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down"}) {
    builder.tensor("blk.0." + std::string(name) + ".weight", {kWidth, kWidth}, kQ4, q4);
  }
  const File ones = blocks(kWidth, 2);  // any floats
  for (const char* name : {"blk.0.attn_norm", "blk.0.ffn_norm", "output_norm"}) {
    builder.tensor(std::string(name) + ".weight", {kWidth}, 0, ones);
  }
  const PlainAmb amb = read_plain_amb(converted(builder.build(), R"({"to":"amb"})", {.chunk = 77}));
  const PlainAmbTensor& embedding = amb.tensors.at("model.embed_tokens.weight");
  EXPECT_EQ(embedding.type, 3);
  for (size_t i = 0; i < embedding.values.size(); ++i) {
    const auto q = static_cast<int8_t>(q8[i / 32 * 34 + 2 + i % 32]);
    ASSERT_EQ(embedding.values[i], static_cast<float>(q) * half_scale(q8, i / 32, 34)) << i;
  }
  const auto q4_value = [&](size_t row, size_t column) {
    const size_t block = (row * kWidth + column) / 32, at = column % 32;
    const auto both = std::to_integer<int>(q4[block * 18 + 2 + at % 16]);
    return static_cast<float>((at < 16 ? both & 15 : both >> 4) - 8) * half_scale(q4, block, 18);
  };
  const PlainAmbTensor& value = amb.tensors.at("model.layers.0.self_attn.v_proj.weight");
  const PlainAmbTensor& query = amb.tensors.at("model.layers.0.self_attn.q_proj.weight");
  EXPECT_EQ(value.type, 6);
  EXPECT_EQ(query.type, 6);
  for (size_t row = 0; row < kWidth; ++row) {
    // Heads of 16: row 2i + h of a head in the file is row i + 8h of Hugging Face's.
    const size_t head = row / 16, in_head = row % 16;
    const size_t in_file = head * 16 + in_head % 8 * 2 + in_head / 8;
    for (size_t column = 0; column < kWidth; ++column) {
      ASSERT_EQ(value.values[row * kWidth + column], q4_value(row, column));
      ASSERT_EQ(query.values[row * kWidth + column], q4_value(in_file, column));
    }
  }
}

constexpr std::string_view kLlamaConfig =
    R"({"model_type":"llama","vocab_size":64,"hidden_size":32,"num_hidden_layers":2,
    "num_attention_heads":4,"num_key_value_heads":2,"intermediate_size":48,"max_position_embeddings":128,"rms_norm_eps":1e-5})";

TEST(ConvertHuggingFace, ALlamaFolderInShardsIsOneModel) {
  const File amb = fixture("amb/llama-f32.amb");
  const Values values = amb_values(amb);
  const auto ff = values.at("model.layers.0.mlp.gate_proj.weight").size() / 32;
  std::string config(kLlamaConfig);
  config.replace(config.find("48"), 2, std::to_string(ff));
  // The folder holds its tensors in safetensors of our own making, which an independent reader has checked.
  const File whole = converted(amb, R"({"to":"safetensors"})");
  NamedFiles files = {{"config.json", file_of(config)}, {"model.safetensors", whole}};
  const auto from_folder = convert(files, R"({"to":"amb"})", {.chunk = 1000});
  ASSERT_TRUE(from_folder) << from_folder.error().detail << from_folder.error().tensor;
  EXPECT_EQ(amb_values(*from_folder), values);
  files.push_back({"model-2.safetensors", whole});
  const auto twice = convert(files, R"({"to":"amb"})");
  ASSERT_FALSE(twice);
  EXPECT_EQ(twice.error().reason, Reason::duplicate);
}

TEST(ConvertDecoder, RejectsMismatchedParts) {
  const std::pair<const char*, const char*> cases[] = {
      {"amb/llama-f32.amb", R"({"to":"weights"})"},
      {"amb/llama-f32.amb", R"({"to":"tinyruntime"})"},
      {"amb/phi3-fused.amb", R"({"to":"alt"})"},
      {"embd/small.weights", R"({"to":"amb"})"},
      {"safetensors/dtypes.safetensors", R"({"to":"amb"})"},
      {"amb/llama-f32.amb", R"({"to":"amb","quantize":"int8-row"})"},
      {"amb/llama-f32.amb", R"({"to":"amb","quantize":"int4","bits":4})"},
      {"amb/llama-f32.amb", R"({"to":"amb","quantize":"none","scaleType":"fp16"})"},
      {"amb/llama-f32.amb", R"({"to":"amb","quantize":"adaptive","bits":99})"},
      {"alt/f32.alt", R"({"to":"alt","quantize":"int8","groupSize":32})"}};
  for (const auto& [path, options] : cases) {
    const auto result = convert(fixture(path), options);
    ASSERT_FALSE(result) << path << options;
    EXPECT_TRUE(result.error().code == Code::unsupported || result.error().code == Code::input) << path << options;
  }
}

}  // namespace
}  // namespace quintet::test
