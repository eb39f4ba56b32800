#include "formats/alt/layout_choice.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "formats/alt/token_types.h"

namespace quintet::alt {
namespace {

// A reader at the first token; nothing where there is none.
std::optional<ByteReader> at_tokens(Bytes bytes, const Section& section, const TokenLayout& layout) {
  ByteReader in(bytes, section.fields_at());
  if (!in.bytes(layout.tokens_at())) return std::nullopt;
  return in;
}

std::optional<uint64_t> measure(Bytes bytes, const Section& section, const TokenLayout& layout, uint32_t count) {
  auto in = at_tokens(bytes, section, layout);
  for (uint32_t id = 0; in && id < count; ++id) {
    if (!read_token(*in, layout)) return std::nullopt;
  }
  return in ? std::optional(in->offset() - section.fields_at()) : std::nullopt;
}

// The reference writer leaves the ids of the tokens out of the size (docs/formats/alt.md).
bool fits(const Section& section, const TokenLayout& layout, uint64_t fields, uint32_t count) {
  return size_fits(section, fields) || (layout.is_reference && size_fits(section, fields, kTokenIdBytes * count));
}

// How far tokens make sense under a layout that does not fit.
struct Walk {
  uint32_t tokens = 0;          // whole ones, with types that exist
  uint64_t fields = 0;          // up to their end
  bool meets_size = false;      // after some number of tokens the section ends, by its size
  std::optional<Error> broken;  // of the token behind them
};

std::optional<Error> check_token(const Result<Token>& token, uint32_t id, const TokenLayout& layout) {
  if (!token) return token.error();
  const bool id_is_right = !layout.is_reference || token->id == static_cast<int32_t>(id);
  if (id_is_right && is_token_type(token->type, layout.is_reference)) return std::nullopt;
  return format_error(Reason::malformed, token->text_at,
                      "token " + std::to_string(id) + " is not as long as it says: what is around it is no token")
      .error();
}

Walk walk(Bytes bytes, const Section& section, const TokenLayout& layout, uint32_t count) {
  Walk walk;
  auto in = at_tokens(bytes, section, layout);
  while (in && (walk.tokens < count || walk.fields < section.size)) {
    walk.broken = check_token(read_token(*in, layout), walk.tokens, layout);
    if (walk.broken) break;
    ++walk.tokens;
    walk.fields = in->offset() - section.fields_at();
    walk.meets_size |= walk.fields == section.size;
  }
  return walk;
}

// Either the number of tokens, or the section's size, or a token is wrong.
std::unexpected<Error> blame(Bytes bytes, const Section& section, uint32_t count) {
  Walk best;
  for (const TokenLayout& layout : kTokenLayouts) {
    Walk next = walk(bytes, section, layout, count);
    if (&layout == kTokenLayouts || next.tokens > best.tokens) best = std::move(next);
  }
  if (best.meets_size) {
    return format_error(Reason::mismatch, section.fields_at() + tokenizer_at::kCount,
                        "the tokenizer section does not hold " + std::to_string(count) + " tokens");
  }
  if (best.tokens < count && best.broken) return fail(std::move(*best.broken));
  return wrong_size(section, std::to_string(count) + " tokens take another number");
}

}  // namespace

Result<FittingLayout> find_layout(Bytes bytes, const Section& section, uint32_t count) {
  for (const TokenLayout& layout : kTokenLayouts) {
    const auto fields = measure(bytes, section, layout, count);
    if (fields && fits(section, layout, *fields, count)) return FittingLayout{layout, *fields};
  }
  return blame(bytes, section, count);
}

}  // namespace quintet::alt
