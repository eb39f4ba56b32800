#include "formats/special_tokens.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "base/order.h"

namespace quintet {
namespace {

// llama.cpp, src/llama-vocab.cpp, special_eog_ids. The last row is for code completion models, where it ends a file.
constexpr std::string_view kEndTexts[] = {"<|eot_id|>",
                                          "<|im_end|>",
                                          "<|end|>",
                                          "<|return|>",
                                          "<|call|>",
                                          "<|flush|>",
                                          "<|calls|>",
                                          "<end_of_turn>",
                                          "<|endoftext|>",
                                          "</s>",
                                          "<|eom_id|>",
                                          "<EOT>",
                                          "_<EOT>",
                                          "[EOT]",
                                          "[EOS]",
                                          "<|end_of_text|>",
                                          "<end_of_utterance>",
                                          "<eos>",
                                          "<turn|>",
                                          "<|tool_response>",
                                          "<\uFF5Cend\u2581of\u2581sentence\uFF5C>",
                                          "[e~[",
                                          "<|fim_pad|>",
                                          "<fim-pad>",
                                          "<fim_pad>",
                                          "<|fim_repo|>",
                                          "<|repo_name|>",
                                          "<fim-repo>",
                                          "<REPO>",
                                          "<reponame>",
                                          "<|file_sep|>"};

// Gemma's tokenizer.model calls it user-defined, so that a user's text could begin a turn. llama.cpp's converter makes
// it a control token too (conversion/gemma.py).
constexpr std::string_view kStartOfTurn = "<start_of_turn>";

// A token that does not end a generation if the vocabulary has all of `beside`.
struct Exception {
  std::string_view text, beside[2];
};
constexpr Exception kExceptions[] = {{"<|end|>", {"<|return|>", "<|call|>"}},
                                     {"</s>", {"<|tool_response>", "<|tool_response>"}}};

struct Found {
  size_t position;
  std::string_view text;
};

bool has(const std::vector<Found>& all, std::string_view text) {
  return std::ranges::find(all, text, &Found::text) != all.end();
}

bool is_exception(const Found& found, const std::vector<Found>& all) {
  return std::ranges::any_of(kExceptions, [&](const Exception& exception) {
    return exception.text == found.text && has(all, exception.beside[0]) && has(all, exception.beside[1]);
  });
}

bool is_made_by_a_merge(std::string_view token, const StringTable& merges) {
  for (size_t rank = 0; rank < merges.size(); ++rank) {
    const std::string_view merge = merges[rank];
    if (merge.size() != token.size() + 1) continue;
    const size_t space = merge.find(' ');
    if (token.starts_with(merge.substr(0, space)) && token.ends_with(merge.substr(space + 1))) return true;
  }
  return false;
}

PieceType type_at(const TokenizerDescription& tokenizer, size_t position) {
  return tokenizer.piece_types.empty() ? PieceType::normal : tokenizer.piece_types[position];
}

std::vector<Found> find_end_texts(const TokenizerDescription& tokenizer) {
  std::vector<Found> all;
  const BpeDescription* bpe = tokenizer.bpe();
  if (!bpe && !tokenizer.sentencepiece()) return all;
  for (size_t position = 0; position < tokenizer.tokens.size(); ++position) {
    const std::string_view text = tokenizer.tokens[position];
    const bool ends_like_one = text.size() > 2 && std::string_view(">][").contains(text.back());
    if (!ends_like_one || std::ranges::find(kEndTexts, text) == std::end(kEndTexts)) continue;
    const PieceType type = type_at(tokenizer, position);
    if (type == PieceType::unknown) continue;
    if (bpe && type == PieceType::normal && is_made_by_a_merge(text, bpe->merges)) continue;
    all.push_back({position, text});
  }
  return all;
}

void add_implied(const TokenizerDescription& tokenizer, const std::vector<Found>& all, std::vector<uint32_t>& ends) {
  if (tokenizer.special.eos) ends.push_back(*tokenizer.special.eos);
  for (const Found& found : all) {
    if (!is_exception(found, all)) ends.push_back(tokenizer.id_at(found.position));
  }
  heap_sort(ends);
  ends.erase(std::ranges::unique(ends).begin(), ends.end());
}

// Tokens that are not text are never part of the output, so they become control tokens. A normal token stays normal: a
// file may define a line feed as an end.
void mark_as_control(TokenizerDescription& tokenizer) {
  for (size_t position = 0; position < tokenizer.piece_types.size(); ++position) {
    PieceType& type = tokenizer.piece_types[position];
    if (type != PieceType::user_defined) continue;
    const bool is_end = std::ranges::binary_search(tokenizer.ends, tokenizer.id_at(position));
    if (is_end || tokenizer.tokens[position] == kStartOfTurn) type = PieceType::control;
  }
}

}  // namespace

SpecialIds bert_special_ids(const StringTable& tokens) {
  SpecialIds ids;
  const auto note = [](std::optional<uint32_t>& id, uint32_t found) {
    if (!id) id = found;
  };
  for (uint32_t id = 0; id < tokens.size(); ++id) {
    const std::string_view token = tokens[id];
    if (token == "[PAD]") note(ids.pad, id);
    if (token == "[UNK]") note(ids.unk, id);
    if (token == "[CLS]") note(ids.cls, id);
    if (token == "[SEP]") note(ids.sep, id);
    if (token == "[MASK]") note(ids.mask, id);
  }
  return ids;
}

bool is_byte_token(std::string_view text) {
  return text.size() == 6 && text.starts_with("<0x") && text.ends_with('>') &&
         text.find_first_not_of("0123456789ABCDEF", 3) == 5;
}

void complete_end_tokens(TokenizerDescription& tokenizer) {
  const std::vector<Found> all = find_end_texts(tokenizer);
  for (const Found& found : all) {
    if (!tokenizer.piece_types.empty()) tokenizer.piece_types[found.position] = PieceType::control;
  }
  add_implied(tokenizer, all, tokenizer.ends);
  mark_as_control(tokenizer);
}

bool are_ends_implied(const TokenizerDescription& tokenizer) {
  std::vector<uint32_t> implied;
  add_implied(tokenizer, find_end_texts(tokenizer), implied);
  return std::ranges::includes(implied, tokenizer.ends);
}

}  // namespace quintet
