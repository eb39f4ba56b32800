#include "formats/huggingface/merges.h"

#include <string>

namespace quintet::huggingface {
namespace {

std::unexpected<Error> wrong(Reason reason, size_t rank, std::string_view problem) {
  return format_error(reason, 0, "merge " + std::to_string(rank) + " " + std::string(problem));
}

Result<Merge> split(const std::string& text, size_t rank) {
  const size_t space = text.find(' ');
  if (space == std::string::npos) return wrong(Reason::malformed, rank, "has no space between its halves");
  const std::string_view all = text;
  return Merge{.left = all.substr(0, space), .right = all.substr(space + 1)};
}

Result<Merge> halves(const Json& entry, size_t rank) {
  if (const std::string* text = entry.as_string()) return split(*text, rank);
  const Json::Array* pair = entry.as_array();
  const std::string* left = pair && pair->size() == 2 ? (*pair)[0].as_string() : nullptr;
  const std::string* right = left ? (*pair)[1].as_string() : nullptr;
  if (!right) return wrong(Reason::malformed, rank, "is neither a text nor a pair of texts");
  return Merge{.left = *left, .right = *right};
}

}  // namespace

Result<std::vector<Merge>> read_merges(const Json& model, const TokenList& list) {
  const Json* entries = model.find("merges");
  if (!entries || !entries->as_array()) return format_error(Reason::missing, 0, "no merges");
  std::vector<Merge> merges;
  merges.reserve(entries->as_array()->size());
  std::string whole;
  for (const Json& entry : *entries->as_array()) {
    const size_t rank = merges.size();
    QUINTET_TRY(Merge merge, halves(entry, rank));
    // Our formats part the halves by a space, as does the older spelling.
    if (merge.left.find(' ') != std::string_view::npos || merge.right.find(' ') != std::string_view::npos) {
      return wrong(Reason::malformed, rank, "has a space in a half");
    }
    whole.assign(merge.left).append(merge.right);
    const auto token = list.find(whole);
    if (!token || !list.find(merge.left) || !list.find(merge.right)) {
      return wrong(Reason::mismatch, rank, "is of texts that are no tokens");
    }
    merge.token = *token;
    merges.push_back(merge);
  }
  return merges;
}

}  // namespace quintet::huggingface
