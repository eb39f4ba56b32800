#pragma once
// The names of tensors: llama.cpp's to Hugging Face's.

#include <string>
#include <string_view>

namespace quintet::gguf {

// The name that a tensor of llama, phi2 or phi3 has in Hugging Face's model; every other tensor keeps its own.
std::string huggingface_name(std::string_view architecture, std::string_view name);

}  // namespace quintet::gguf
