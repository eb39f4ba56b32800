#include "runtime/inspect/model_title.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "architectures/decoder/tensor_names.h"
#include "base/decimal.h"
#include "runtime/inspect/describe.h"

namespace quintet {
namespace {

// general.file_type of GGUF (llama.cpp, include/llama.h, enum llama_ftype). A mixture of types has the name of most of
// them, with a size.
struct FileType {
  uint64_t number;
  std::string_view name;
};
constexpr FileType kFileTypes[] = {
    {0, "F32"},     {1, "F16"},     {2, "Q4_0"},     {3, "Q4_1"},    {7, "Q8_0"},    {8, "Q5_0"},    {9, "Q5_1"},
    {10, "Q2_K"},   {11, "Q3_K_S"}, {12, "Q3_K_M"},  {13, "Q3_K_L"}, {14, "Q4_K_S"}, {15, "Q4_K_M"}, {16, "Q5_K_S"},
    {17, "Q5_K_M"}, {18, "Q6_K"},   {19, "IQ2_XXS"}, {20, "IQ2_XS"}, {21, "Q2_K_S"}, {22, "IQ3_XS"}, {23, "IQ3_XXS"},
    {24, "IQ1_S"},  {25, "IQ4_NL"}, {26, "IQ3_S"},   {27, "IQ3_M"},  {28, "IQ2_S"},  {29, "IQ2_M"},  {30, "IQ4_XS"},
    {31, "IQ1_M"},  {32, "BF16"},   {38, "MXFP4"},
};

std::string_view text_of(const Json& metadata, std::string_view key) {
  const Json* value = metadata.find(key);
  return value && value->as_string() ? std::string_view(*value->as_string()) : std::string_view();
}

std::string type_of(const ModelDescription& description) {
  if (const Json* number = description.metadata.find("general.file_type")) {
    const auto* type = std::ranges::find(kFileTypes, number->as_uint().value_or(UINT64_MAX), &FileType::number);
    if (type != std::end(kFileTypes)) return std::string(type->name);
  }
  struct Type {
    std::string_view name;
    uint64_t bytes = 0;
  };
  std::vector<Type> types;
  for (const TensorInfo& info : description.tensors) {
    const std::string_view name = dtype_name(description.format, info);
    auto type = std::ranges::find(types, name, &Type::name);
    if (type == types.end()) type = types.insert(type, {.name = name});
    type->bytes += info.bytes;
  }
  return std::string(std::ranges::max_element(types, {}, &Type::bytes)->name);
}

// Two digits: "360M", "1.1B", "13B".
std::string size_of(const ModelDescription& description) {
  double parameters = 0;
  for (const TensorInfo& info : description.tensors) parameters += static_cast<double>(info.elements());
  const bool is_billions = parameters >= 0.95e9;
  double rounded = parameters / (is_billions ? 1e8 : 1e5);  // in tenths
  double step = 1;
  for (; rounded >= 99.5; rounded /= 10) step *= 10;
  const auto tenths = static_cast<uint64_t>(rounded + 0.5) * static_cast<uint64_t>(step);
  std::string text = write_natural(tenths / 10);
  if (tenths % 10 != 0) text += formatted(".{}", tenths % 10);
  return text + (is_billions ? "B" : "M");
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// "gemma-3" and "Gemma 3" are the same.
std::string letters_and_digits(std::string_view name) {
  std::string kept;
  for (const char c : name) {
    if ((c >= '0' && c <= '9') || (lower(c) >= 'a' && lower(c) <= 'z')) kept += lower(c);
  }
  return kept;
}

// A name and a version are written with a space: "Llama-3.2" is Llama 3.2.
std::string with_version(std::string_view base) {
  std::string text(base);
  const size_t hyphen = base.find('-');
  if (hyphen == 0 || hyphen == std::string_view::npos || hyphen + 1 == base.size()) return text;
  if (base.find_first_not_of("0123456789.", hyphen + 1) != std::string_view::npos) return text;
  text[hyphen] = ' ';
  return text;
}

std::string name_and_size(const ModelDescription& description, const decoder::Family& family) {
  const std::string title(family.title);
  const std::string_view size = text_of(description.metadata, "general.size_label");
  std::string_view base = text_of(description.metadata, "general.basename");
  if (!size.empty()) {
    const bool is_family = base.empty() || letters_and_digits(base) == letters_and_digits(title);
    return formatted("{} {}", is_family ? title : with_version(base), size);
  }
  const std::string_view name = model_name(description.metadata);
  const bool is_only_family = name.empty() || letters_and_digits(name) == letters_and_digits(family.model_type);
  return is_only_family ? formatted("{} {}", title, size_of(description)) : std::string(name);
}

}  // namespace

std::string model_title(const ModelDescription& description) {
  const decoder::Family* family = decoder::TensorNames(description).family();
  if (!family || description.tensors.empty()) return {};
  return formatted("{}, {}", name_and_size(description, *family), type_of(description));
}

}  // namespace quintet
