#include "formats/tokenizer_check.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/order.h"

namespace quintet {
namespace {

template <class... Values>
QUINTET_INLINE Failure wrong(Reason reason, Pattern<sizeof...(Values)> detail, const Values&... values) {
  return fail(Code::format, reason, "tokenizer: {}", formatted(detail, values...));
}

Status check_special(const SpecialIds& special, uint64_t n_vocab) {
  struct Named {
    const char* name;
    std::optional<uint32_t> id;
  };
  const Named all[] = {{"bos", special.bos},   {"eos", special.eos}, {"pad", special.pad}, {"unk", special.unk},
                       {"mask", special.mask}, {"cls", special.cls}, {"sep", special.sep}};
  for (const auto& [name, id] : all) {
    if (id && *id >= n_vocab) {
      return wrong(Reason::limit, "{} is {}, but the model has {} tokens", name, *id, n_vocab);
    }
  }
  return {};
}

Status check_ids(std::vector<uint32_t> ids, uint64_t n_vocab) {
  heap_sort(ids);
  if (!ids.empty() && ids.back() >= n_vocab) {
    return wrong(Reason::limit, "id {}, but the model has {} tokens", ids.back(), n_vocab);
  }
  const auto twice = std::ranges::adjacent_find(ids);
  if (twice == ids.end()) return {};
  return wrong(Reason::duplicate, "two tokens have the id {}", *twice);
}

}  // namespace

Status check_tokenizer(const TokenizerDescription& tokenizer, uint64_t n_vocab) {
  QUINTET_CHECK(check_special(tokenizer.special, n_vocab));
  if (!tokenizer.ends.empty() && tokenizer.ends.back() >= n_vocab) {
    return wrong(Reason::limit, "the token {} is an end-of-sequence token, but the model has {} tokens",
                 tokenizer.ends.back(), n_vocab);
  }
  if (tokenizer.size() > n_vocab) {
    return wrong(Reason::mismatch, "{} tokens, but the model has {}", tokenizer.size(), n_vocab);
  }
  return tokenizer.bpe() ? check_ids(tokenizer.bpe()->ids, n_vocab) : Status();
}

}  // namespace quintet
