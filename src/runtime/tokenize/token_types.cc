#include "runtime/tokenize/token_types.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "base/flag_list.h"
#include "base/order.h"
#include "tokenizers/bpe/byte_alphabet.h"

namespace quintet {
namespace {

bool is_bracketed(std::string_view text) { return text.size() > 4 && text.starts_with("<|") && text.ends_with("|>"); }

bool is_special(const SpecialIds& special, uint32_t id) {
  const auto all = {special.bos, special.eos, special.pad, special.unk, special.mask, special.cls, special.sep};
  return std::ranges::find(all, std::optional(id)) != all.end();
}

// Removes the texts that merges produce. `texts` is sorted.
void drop_merged(const StringTable& merges, std::vector<std::string_view>& texts) {
  FlagList merged(texts.size());
  std::string whole;
  for (size_t rank = 0; rank < merges.size() && !texts.empty(); ++rank) {
    const std::string_view merge = merges[rank];
    const size_t space = merge.find(' ');
    if (space == std::string_view::npos) continue;
    whole.assign(merge.substr(0, space)).append(merge.substr(space + 1));
    const auto found = std::ranges::lower_bound(texts, std::string_view(whole));
    if (found != texts.end() && *found == whole) merged[static_cast<size_t>(found - texts.begin())] = true;
  }
  size_t kept = 0;
  for (size_t i = 0; i < texts.size(); ++i) {
    if (!merged[i]) texts[kept++] = texts[i];
  }
  texts.resize(kept);
}

}  // namespace

std::vector<PieceType> guess_bpe_token_types(const TokenizerDescription& tokenizer) {
  const StringTable& tokens = tokenizer.tokens;
  const auto may_be_control = [&](size_t position, size_t bytes) {
    return bytes != 1 && (is_bracketed(tokens[position]) || is_special(tokenizer.special, tokenizer.id_at(position)));
  };
  std::vector<PieceType> types(tokens.size(), PieceType::normal);
  std::vector<std::string_view> control;
  std::string bytes;
  for (size_t position = 0; position < tokens.size(); ++position) {
    bytes.clear();
    if (!append_bytes_of(tokens[position], bytes)) types[position] = PieceType::user_defined;
    if (may_be_control(position, bytes.size())) control.push_back(tokens[position]);
  }
  heap_sort(control);
  drop_merged(tokenizer.bpe()->merges, control);
  for (size_t position = 0; position < tokens.size(); ++position) {
    if (std::ranges::binary_search(control, tokens[position])) types[position] = PieceType::control;
  }
  return types;
}

}  // namespace quintet
