#include "architectures/transformer/tensor_schema.h"

#include <charconv>
#include <system_error>

namespace quintet::transformer {

bool take_number(std::string_view& name, uint32_t& number) {
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  const auto digits = static_cast<size_t>(end - name.data());
  if (error != std::errc() || digits == name.size() || name[digits] != '.') return false;
  if (name[0] == '0' && digits > 1) return false;
  name.remove_prefix(digits + 1);
  return true;
}

bool take_suffix(std::string_view& name, std::string_view suffix) {
  if (!name.ends_with(suffix)) return false;
  name.remove_suffix(suffix.size());
  return true;
}

}  // namespace quintet::transformer
