#include "tests/formats/folder_texts.h"

#include <gtest/gtest.h>

namespace quintet::test {

using huggingface::Folder;

Result<ModelDescription> describe(const std::vector<NamedText>& files) {
  Folder folder;
  for (const auto& [name, text] : files) {
    EXPECT_TRUE(Folder::takes(name)) << name;
    if (Status status = folder.add(name, text); !status) return fail(status.error());
  }
  return folder.describe();
}

NamedText config(const std::string& model_type, uint64_t n_vocab, const std::string& more) {
  return {"config.json",
          R"({"model_type":")" + model_type + R"(","vocab_size":)" + std::to_string(n_vocab) +
              R"(,"hidden_size":8,"intermediate_size":16,"num_hidden_layers":1,"num_attention_heads":2)" + more + "}"};
}

}  // namespace quintet::test
