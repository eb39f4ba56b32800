// The files of sentence-transformers, and the keys of .weights files with the same settings. The input is them joined:
// a byte that chooses the file, its text, a NUL, and so on.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <string_view>

#include "architectures/encoder/classification_head.h"
#include "architectures/encoder/config.h"
#include "architectures/encoder/ranking_head.h"
#include "formats/embd/sentence_metadata.h"
#include "formats/huggingface/sentence_files.h"

namespace {

using namespace quintet;

constexpr std::string_view kPaths[] = {
    "modules.json",          "sentence_bert_config.json",  "config_sentence_transformers.json",
    "1_Pooling/config.json", "2_Dense/config.json",        "router_config.json",
    "1_Dense/config.json",   "1_SpladePooling/config.json"};

void expect_told(const Error& error) {
  if (error.detail.empty()) std::abort();
}

// The description becomes metadata from which the same description is read, except for Dense modules.
void check(SentenceConfig config) {
  if (config.vectors() != VectorKind::dense) return;
  config.dense.clear();
  Json metadata = Json::object();
  if (!embd::append_sentence_metadata(config, metadata)) std::abort();
  const auto again = embd::read_sentence_metadata(metadata);
  if (!again || again->pooling != config.pooling || again->normalize != config.normalize ||
      again->max_tokens != config.max_tokens || again->pools_prompt != config.pools_prompt ||
      again->default_prompt != config.default_prompt || write_json(again->prompts) != write_json(config.prompts)) {
    std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view files(reinterpret_cast<const char*>(data), size);
  huggingface::SentenceFiles folder;
  while (!files.empty()) {
    const size_t choice = static_cast<uint8_t>(files[0]) % (std::size(kPaths) + 1);
    const size_t end = std::min(files.find('\0', 1), files.size());
    const std::string_view text = files.substr(1, end - 1);
    files.remove_prefix(std::min(end + 1, files.size()));
    if (choice == std::size(kPaths)) {
      const auto json = parse_json(text);
      if (!json || !json->as_object()) continue;
      const auto config = read_encoder_config_json(*json);
      if (!config) expect_told(config.error());
      const auto head = read_ranking_head_json(*json, {});
      if (!head) expect_told(head.error());
      for (const Classified classified : {Classified::texts, Classified::tokens}) {
        LabelSet labels;
        const auto label_head = read_label_head_json(*json, classified, labels);
        if (!label_head) {
          expect_told(label_head.error());
        } else if (label_head->labels != labels.names.size() || labels.names.empty()) {
          std::abort();
        }
      }
      const auto sentence = embd::read_sentence_metadata(*json);
      if (!sentence) expect_told(sentence.error());
    } else if (const Status status = folder.add(kPaths[choice], text); !status) {
      expect_told(status.error());
    }
  }
  const auto reranker = folder.settle_reranker();
  if (!reranker) expect_told(reranker.error());
  const auto settled = folder.settle();
  if (settled) {
    check(*settled);
  } else {
    expect_told(settled.error());
  }
  return 0;
}
