#pragma once
// The names of tensors in Hugging Face folders of families that do not have Llama's. Everything else uses the names of
// tensor_names.h, under which AMB files store them too.

#include <cstdint>
#include <string>
#include <string_view>

namespace quintet::decoder {

enum class FolderNaming : uint8_t { llama, gpt2, gpt_neox, exaone, internlm2, apertus };

// The name in tensor_names.h of a folder's tensor; unchanged if the naming has no other for it.
std::string name_from_folder(FolderNaming naming, std::string_view name);

// The inverse, to the most common of the names that a folder may have.
std::string name_in_folder(FolderNaming naming, std::string_view name);

}  // namespace quintet::decoder
