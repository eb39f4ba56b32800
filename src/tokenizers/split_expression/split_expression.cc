#include "tokenizers/split_expression/split_expression.h"

#include <bit>

#include "base/utf8.h"

namespace quintet {

SplitExpression::FirstSet SplitExpression::first_of(const CharacterClass& one) const {
  return {
      .ascii = {one.ascii_bits(0), one.ascii_bits(1)}, .beyond_ascii = one.kinds_beyond_ascii(), .end_of_text = false};
}

// The possible beginnings from an instruction on, or more: what may match nothing may be followed by anything.
SplitExpression::FirstSet SplitExpression::first_of(const Instruction& instruction, const FirstSet* rest) const {
  constexpr FirstSet kAnything = {
      .ascii = {UINT64_MAX, UINT64_MAX}, .beyond_ascii = character_kind::kAll, .end_of_text = true};
  const auto with = [](FirstSet first, const FirstSet& other) {
    first.ascii[0] |= other.ascii[0];
    first.ascii[1] |= other.ascii[1];
    first.beyond_ascii |= other.beyond_ascii;
    first.end_of_text |= other.end_of_text;
    return first;
  };
  if (instruction.offset < 0) return kAnything;
  switch (instruction.operation) {
    case Operation::repeat:
    case Operation::repeat_lazily:
    case Operation::possess: {
      const FirstSet first = first_of(classes_[instruction.index]);
      return instruction.min == 0 ? with(first, rest[1]) : first;
    }
    case Operation::fork:
    case Operation::fork_away:
      return with(rest[1], rest[instruction.offset]);
    case Operation::match:
    case Operation::atomic:
      return kAnything;
    default:
      return rest[instruction.offset];
  }
}

void SplitExpression::prepare() {
  first_.resize(program_.size());
  for (size_t pc = program_.size(); pc-- != 0;) {
    Instruction& instruction = program_[pc];
    first_[pc] = first_of(instruction, &first_[pc]);
    if (is_fork(instruction.operation)) instruction.index = forks_++;
    // If what follows begins with none of the repeated characters, it is of no use to give any back.
    const bool is_run = instruction.operation == Operation::repeat;
    if (is_run && !first_[pc + 1].overlaps(first_of(classes_[instruction.index]))) {
      instruction.operation = Operation::possess;
    }
    // Nor is it at the end, since the longest match is wanted.
    if (is_run && program_[pc + 1].operation == Operation::match) instruction.operation = Operation::possess;
  }
  for (size_t i = 0; i < branches_.size(); ++i) {
    const uint32_t bit = 1u << i;
    const FirstSet& set = first_[branches_[i]];
    for (size_t c = 0; c < by_ascii_.size(); ++c) {
      if (set.contains(static_cast<uint8_t>(c))) by_ascii_[c] |= bit;
    }
    for (size_t kind = 0; kind < by_kind_.size(); ++kind) {
      if (set.beyond_ascii >> kind & 1) by_kind_[kind] |= bit;
    }
  }
}

// The next character at `at` or after it with which a branch may begin; the branches that may.
uint32_t SplitExpression::next_branches(std::string_view text, size_t& at, const CharacterKinds& kinds) const {
  while (at < text.size()) {
    const auto byte = static_cast<uint8_t>(text[at]);
    if (byte < 0x80) {
      if (by_ascii_[byte] != 0) return by_ascii_[byte];
      ++at;
      continue;
    }
    const DecodedCodePoint decoded = decode_valid_utf8(text, at);
    const uint32_t branches = by_kind_[static_cast<size_t>(std::countr_zero(kinds.of(decoded.code_point)))];
    if (branches != 0) return branches;
    at += decoded.bytes;
  }
  return 0;
}

}  // namespace quintet
