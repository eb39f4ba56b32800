// The describing files of a Hugging Face folder, one after another. The input is them joined: a byte that chooses the
// file, its text, a NUL, and so on.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <string_view>

#include "architectures/decoder/config.h"
#include "formats/huggingface/folder.h"

namespace {

using namespace quintet;

constexpr std::string_view kNames[] = {"config.json",
                                       "vocab.txt",
                                       "tokenizer.json",
                                       "tokenizer_config.json",
                                       "tokenizer.model",
                                       "special_tokens_map.json",
                                       "model.safetensors.index.json",
                                       "generation_config.json",
                                       "chat_template.jinja",
                                       "sentencepiece.bpe.model"};

// A proto has its own NULs: it is the last file.
bool is_proto(std::string_view name) { return name.ends_with(".model"); }

void expect_told(const Error& error) {
  if (error.detail.empty()) std::abort();
}

// The description is consistent.
void check(const ModelDescription& model) {
  const TokenizerDescription& tokenizer = model.tokenizer;
  if (tokenizer.bpe() && tokenizer.bpe()->ids.size() != tokenizer.size()) std::abort();
  const SentencePieceDescription* pieces = tokenizer.sentencepiece();
  if (pieces && (pieces->scores.size() != tokenizer.size() || tokenizer.piece_types.size() != tokenizer.size())) {
    std::abort();
  }
  if (!std::ranges::is_sorted(tokenizer.ends)) std::abort();
  if (model.architecture == "bert" || model.architecture.empty()) return;
  const auto config = read_huggingface_config(model.config);
  if (!config) return expect_told(config.error());
  if (*read_amb_config(amb_config(*config)) != *config) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view files(reinterpret_cast<const char*>(data), size);
  huggingface::Folder folder;
  while (!files.empty()) {
    const std::string_view name = kNames[static_cast<uint8_t>(files[0]) % std::size(kNames)];
    const std::string_view text = files.substr(1, is_proto(name) ? files.npos : files.find('\0', 1) - 1);
    if (const Status status = folder.add(name, text); !status) {
      expect_told(status.error());
      return 0;
    }
    files.remove_prefix(std::min(files.size(), text.size() + 2));
  }
  const bool whole = size == 0 || data[size - 1] % 2 == 0;
  const auto model = whole ? folder.describe() : folder.describe_tokenizer();
  if (model) {
    check(*model);
  } else {
    expect_told(model.error());
  }
  return 0;
}
