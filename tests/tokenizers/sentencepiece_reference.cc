#include "tests/tokenizers/sentencepiece_reference.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <optional>

namespace quintet::test {
namespace {

using Ids = std::map<std::string, uint32_t>;

Ids ids_of_types(const SentencePieceVocabulary& vocabulary, const std::vector<PieceType>& types) {
  Ids ids;
  for (uint32_t id = 0; id < vocabulary.types.size(); ++id) {
    if (std::ranges::count(types, vocabulary.types[id])) ids[std::string(vocabulary.pieces[id])] = id;
  }
  return ids;
}

std::optional<uint32_t> id_in(const Ids& ids, const std::string& text) {
  const auto found = ids.find(text);
  return found == ids.end() ? std::nullopt : std::optional(found->second);
}

struct Symbol {
  std::string text;
  bool frozen = false;
};

// The longest of the symbols that the text has at `at`, or one character.
std::vector<Symbol> symbols_of(const std::string& text, const Ids& user_defined) {
  std::vector<Symbol> symbols;
  for (size_t at = 0; at < text.size();) {
    Symbol symbol;
    for (const auto& [piece, id] : user_defined) {
      if (text.compare(at, piece.size(), piece) == 0 && piece.size() > symbol.text.size()) symbol = {piece, true};
    }
    if (!symbol.frozen) symbol.text = characters_of(text.substr(at)).front();
    at += symbol.text.size();
    symbols.push_back(symbol);
  }
  return symbols;
}

void put_unknown(const SentencePieceVocabulary& vocabulary, bool byte_fallback, const std::string& text,
                 bool after_unknown, std::vector<uint32_t>& ids) {
  const auto first_of = [&](PieceType type) {
    return static_cast<uint32_t>(std::ranges::find(vocabulary.types, type) - vocabulary.types.begin());
  };
  if (!byte_fallback) {
    if (!after_unknown) ids.push_back(first_of(PieceType::unknown));
    return;
  }
  const Ids bytes = ids_of_types(vocabulary, {PieceType::byte});
  for (const char byte : text) {
    char name[8];
    std::snprintf(name, sizeof(name), "<0x%02X>", static_cast<unsigned char>(byte));
    ids.push_back(bytes.at(name));
  }
}

}  // namespace

std::vector<std::string> characters_of(const std::string& text) {
  std::vector<std::string> characters;
  for (const char byte : text) {
    if ((byte & 0xC0) != 0x80) characters.emplace_back();
    characters.back() += byte;
  }
  return characters;
}

std::vector<uint32_t> reference_bpe(const SentencePieceVocabulary& vocabulary, bool byte_fallback,
                                    const std::string& normalized) {
  const Ids known = ids_of_types(vocabulary, {PieceType::normal, PieceType::user_defined});
  std::vector<Symbol> symbols = symbols_of(normalized, ids_of_types(vocabulary, {PieceType::user_defined}));
  while (true) {
    std::optional<size_t> best;
    float best_score = 0;
    for (size_t i = 0; i + 1 < symbols.size(); ++i) {
      if (symbols[i].frozen || symbols[i + 1].frozen) continue;
      const auto id = id_in(known, symbols[i].text + symbols[i + 1].text);
      if (!id || (best && vocabulary.scores[*id] <= best_score)) continue;
      best = i;
      best_score = vocabulary.scores[*id];
    }
    if (!best) break;
    symbols[*best].text += symbols[*best + 1].text;
    symbols.erase(symbols.begin() + static_cast<ptrdiff_t>(*best) + 1);
  }
  std::vector<uint32_t> ids;
  bool after_unknown = false;
  for (const Symbol& symbol : symbols) {
    const auto id = id_in(known, symbol.text);
    if (id) ids.push_back(*id);
    if (!id) put_unknown(vocabulary, byte_fallback, symbol.text, after_unknown, ids);
    after_unknown = !id;
  }
  return ids;
}

namespace {

double score_of(const SentencePieceVocabulary& vocabulary, uint32_t id) {
  return vocabulary.types[id] == PieceType::user_defined ? -0.1 : static_cast<double>(vocabulary.scores[id]);
}

double unknown_score(const SentencePieceVocabulary& vocabulary) {
  double lowest = 1e30;
  for (const auto& [piece, id] : ids_of_types(vocabulary, {PieceType::normal})) {
    lowest = std::min(lowest, static_cast<double>(vocabulary.scores[id]));
  }
  return lowest - 10;
}

}  // namespace

// Runs from the end: the best way to split the rest from each character on.
double reference_unigram_score(const SentencePieceVocabulary& vocabulary, const std::string& normalized) {
  const Ids known = ids_of_types(vocabulary, {PieceType::normal, PieceType::user_defined});
  const double unknown = unknown_score(vocabulary);
  const std::vector<std::string> characters = characters_of(normalized);
  std::vector<double> best(characters.size() + 1);
  for (size_t begin = characters.size(); begin-- > 0;) {
    const bool is_known = known.contains(characters[begin]);
    best[begin] = is_known ? -1e30 : unknown + best[begin + 1];
    std::string text;
    for (size_t end = begin + 1; end <= characters.size(); ++end) {
      text += characters[end - 1];
      const auto id = id_in(known, text);
      if (id) best[begin] = std::max(best[begin], score_of(vocabulary, *id) + best[end]);
    }
  }
  return best[0];
}

double unigram_score(const SentencePieceVocabulary& vocabulary, const std::vector<uint32_t>& ids) {
  double score = 0;
  for (const uint32_t id : ids) {
    const std::string_view piece = vocabulary.pieces[id];
    if (vocabulary.types[id] != PieceType::byte) {
      score += score_of(vocabulary, id);
    } else if (piece < "<0x80>" || piece >= "<0xC0>") {  // the first of a character
      score += unknown_score(vocabulary);
    }
  }
  return score;
}

}  // namespace quintet::test
