// ALT files. What is read is written and read again: it must be the same model.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "tests/fuzz/reading.h"
#include "tests/fuzz/rewriting.h"

namespace quintet::fuzz {
namespace {

void check_alt_rewriting(Bytes input) {
  Model model;
  if (!read(input, Format::alt, model)) return;
  // The one thing that only the reference writer's enumeration of token types can express.
  const auto& types = model.description.tokenizer.piece_types;
  if (std::ranges::find(types, PieceType::user_defined) != types.end()) return;
  // Layouts without `seq_len` gain it when they are written, and keep it from then on.
  if (model.description.config.find("seq_len")) check_rewriting(input, Format::alt);
  check_rewriting(written(model, Format::alt), Format::alt);
}

}  // namespace
}  // namespace quintet::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const quintet::Bytes input = std::as_bytes(std::span(data, size));
  quintet::fuzz::check_file(input, quintet::Format::alt);
  quintet::fuzz::check_alt_rewriting(input);
  return 0;
}
