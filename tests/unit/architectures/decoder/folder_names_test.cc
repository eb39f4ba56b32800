// The names of tensors in folders, by hand.

#include <gtest/gtest.h>

#include <string>

#include "architectures/decoder/folder_names.h"

namespace quintet::decoder {
namespace {

TEST(FolderNames, AreTranslatedBothWays) {
  struct Case {
    FolderNaming naming;
    const char *folder, *ours;
  };
  const Case cases[] = {
      {FolderNaming::gpt2, "transformer.h.11.attn.c_attn.bias", "model.layers.11.self_attn.qkv_proj.bias"},
      {FolderNaming::gpt2, "transformer.wpe.weight", "model.embed_positions.weight"},
      {FolderNaming::gpt2, "lm_head.weight", "lm_head.weight"},
      {FolderNaming::gpt_neox, "gpt_neox.layers.0.mlp.dense_h_to_4h.weight", "model.layers.0.mlp.up_proj.weight"},
      {FolderNaming::gpt_neox, "gpt_neox.layers.0.input_layernorm.bias", "model.layers.0.input_layernorm.bias"},
      {FolderNaming::gpt_neox, "embed_out.weight", "lm_head.weight"},
      {FolderNaming::exaone, "transformer.h.2.mlp.c_fc_1.weight", "model.layers.2.mlp.up_proj.weight"},
      {FolderNaming::internlm2, "model.layers.1.attention.wqkv.weight", "model.layers.1.self_attn.qkv_proj.weight"},
      {FolderNaming::internlm2, "output.weight", "lm_head.weight"},
      {FolderNaming::internlm2, "model.norm.weight", "model.norm.weight"},
      {FolderNaming::apertus, "model.layers.0.attention_layernorm.weight", "model.layers.0.input_layernorm.weight"},
      {FolderNaming::apertus, "model.layers.0.mlp.act_fn.beta", "model.layers.0.mlp.act_fn.beta"},
      {FolderNaming::llama, "model.norm.weight", "model.norm.weight"},
  };
  for (const auto& [naming, folder, ours] : cases) {
    EXPECT_EQ(name_from_folder(naming, folder), ours);
    EXPECT_EQ(name_in_folder(naming, ours), folder);
  }
}

TEST(FolderNames, MayLackTheRoot) {
  EXPECT_EQ(name_from_folder(FolderNaming::gpt2, "h.0.ln_1.weight"), "model.layers.0.input_layernorm.weight");
  EXPECT_EQ(name_from_folder(FolderNaming::gpt2, "wte.weight"), "model.embed_tokens.weight");
}

TEST(FolderNames, OthersStay) {
  for (const char* name :
       {"", "transformer.", "transformer.h.", "transformer.h.x.ln_1.weight", "transformer.h.1", "wtes"}) {
    EXPECT_EQ(name_from_folder(FolderNaming::gpt2, name), name);
  }
}

}  // namespace
}  // namespace quintet::decoder
