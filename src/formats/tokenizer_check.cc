#include "formats/tokenizer_check.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/order.h"

namespace quintet {
namespace {

Failure wrong(Reason reason, std::string detail) {
  return fail({.code = Code::format, .reason = reason, .detail = "tokenizer: " + std::move(detail)});
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
      return wrong(Reason::limit, std::string(name) + " is " + std::to_string(*id) + ", but the model has " +
                                      std::to_string(n_vocab) + " tokens");
    }
  }
  return {};
}

Status check_ids(std::vector<uint32_t> ids, uint64_t n_vocab) {
  heap_sort(ids);
  if (!ids.empty() && ids.back() >= n_vocab) {
    return wrong(Reason::limit,
                 "id " + std::to_string(ids.back()) + ", but the model has " + std::to_string(n_vocab) + " tokens");
  }
  const auto twice = std::ranges::adjacent_find(ids);
  if (twice == ids.end()) return {};
  return wrong(Reason::duplicate, "two tokens have the id " + std::to_string(*twice));
}

}  // namespace

Status check_tokenizer(const TokenizerDescription& tokenizer, uint64_t n_vocab) {
  QUINTET_CHECK(check_special(tokenizer.special, n_vocab));
  if (!tokenizer.ends.empty() && tokenizer.ends.back() >= n_vocab) {
    return wrong(Reason::limit, "the token " + std::to_string(tokenizer.ends.back()) +
                                    " is an end-of-sequence token, but the model has " + std::to_string(n_vocab) +
                                    " tokens");
  }
  if (tokenizer.size() > n_vocab) {
    return wrong(Reason::mismatch,
                 std::to_string(tokenizer.size()) + " tokens, but the model has " + std::to_string(n_vocab));
  }
  return tokenizer.bpe() ? check_ids(tokenizer.bpe()->ids, n_vocab) : Status();
}

}  // namespace quintet
