// The title of a model in inspect.

#include "runtime/inspect/model_title.h"

#include <gtest/gtest.h>

#include <tuple>

#include "tests/formats/gguf_builder.h"

namespace quintet::test {
namespace {

std::string title_of(const GgufBuilder& builder) {
  const auto read = read_file(builder.build());
  EXPECT_TRUE(read);
  return read ? model_title(read->description) : std::string();
}

TEST(ModelTitle, FromTheNamesOfTheFile) {
  EXPECT_EQ(title_of(tiny_gguf_llama().text("general.name", "Tiny Story 1M")), "Tiny Story 1M, F32");
  EXPECT_EQ(title_of(tiny_gguf_llama().text("general.name", "x").text("general.size_label", "1B")), "Llama 1B, F32");
  EXPECT_EQ(title_of(tiny_gguf_llama()
                         .text("general.basename", "TinyLlama")
                         .text("general.size_label", "1.1B")
                         .u32("general.file_type", 15)),
            "TinyLlama 1.1B, Q4_K_M");
  // Names as llama.cpp's converters write them; the file type does not show what the mixture fell back to.
  for (const auto& [base, size, type, title] : {std::tuple{"Llama-3.2", "1B", 15u, "Llama 3.2 1B, Q4_K_M"},
                                                {"SmolLM2", "360M", 15u, "SmolLM2 360M, Q4_K_M"},
                                                {"Qwen3", "0.6B", 7u, "Qwen3 0.6B, Q8_0"},
                                                {"Phi-3.5-mini", "3.8B", 12u, "Phi-3.5-mini 3.8B, Q3_K_M"},
                                                {"Llama-", "1B", 7u, "Llama 1B, Q8_0"}}) {
    EXPECT_EQ(title_of(tiny_gguf_llama()
                           .text("general.basename", base)
                           .text("general.size_label", size)
                           .u32("general.file_type", type)),
              title);
  }
}

TensorInfo tensor(const char* name, uint64_t rows, uint64_t cols) {
  TensorInfo info;
  info.name = name;
  info.shape = {rows, cols};
  info.bytes = rows * cols * 4;
  return info;
}

TEST(ModelTitle, FromTheFamilyAndTheNumberOfParameters) {
  ModelDescription gemma;
  gemma.format = Format::gguf;
  gemma.architecture = "gemma3";
  EXPECT_EQ(model_title(gemma), "");
  gemma.metadata.append("general.file_type", uint64_t{15});
  gemma.tensors = {tensor("token_embd.weight", 999'885, 1000)};
  EXPECT_EQ(model_title(gemma), "Gemma 3 1B, Q4_K_M");
  gemma.metadata.append("general.basename", "gemma-3");
  gemma.tensors = {tensor("token_embd.weight", 268'098, 1000)};
  EXPECT_EQ(model_title(gemma), "Gemma 3 270M, Q4_K_M");
  for (const auto& [thousands, size] : {std::pair{1'100'048, "1.1B"},
                                        {13'015'864, "13B"},
                                        {9'960'000, "10B"},
                                        {949'000, "950M"},
                                        {950'000, "1B"},
                                        {7'241'732, "7.2B"}}) {
    gemma.tensors = {tensor("token_embd.weight", static_cast<uint64_t>(thousands), 1000)};
    EXPECT_EQ(model_title(gemma), "Gemma 3 " + std::string(size) + ", Q4_K_M");
  }
  gemma.architecture = "other";
  EXPECT_EQ(model_title(gemma), "");
}

}  // namespace
}  // namespace quintet::test
