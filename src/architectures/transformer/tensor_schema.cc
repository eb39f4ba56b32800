#include "architectures/transformer/tensor_schema.h"

#include "base/decimal.h"

namespace quintet::transformer {

bool take_number(std::string_view& name, uint32_t& number) {
  const auto found = leading_number(name);
  if (!found || found->value > UINT32_MAX) return false;
  if (found->digits == name.size() || name[found->digits] != '.') return false;
  if (name[0] == '0' && found->digits > 1) return false;
  number = static_cast<uint32_t>(found->value);
  name.remove_prefix(found->digits + 1);
  return true;
}

bool take_suffix(std::string_view& name, std::string_view suffix) {
  if (!name.ends_with(suffix)) return false;
  name.remove_suffix(suffix.size());
  return true;
}

}  // namespace quintet::transformer
