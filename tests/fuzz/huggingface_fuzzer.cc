// The text files of a Hugging Face folder, and the conversion that they begin. The first byte chooses the file.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "runtime/convert/converter.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace quintet;
  if (size == 0) return 0;
  constexpr std::string_view kNames[] = {"config.json", "vocab.txt", "tokenizer.json", "tokenizer_config.json", "model"};
  const std::string_view name = kNames[data[0] % 5];
  const Bytes text = std::as_bytes(std::span(data, size)).subspan(1);
  Converter converter({});
  if (!converter.begin_file(name, text.size(), false)) std::abort();  // nothing was read yet that could be wrong
  Status status = converter.feed(text);
  if (status) status = converter.end_file();
  if (!status && status.error().detail.empty()) std::abort();
  converter.take();
  return 0;
}
