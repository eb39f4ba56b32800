// Any bytes as a JSON schema. What must hold: the grammar of one that is taken can be read, and what is wrong with it
// can only be that it is too large or that no text ends.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "grammar/automaton.h"
#include "grammar/gbnf.h"
#include "grammar/json_schema/json_schema.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace quintet::grammar;
  if (size > 4096) return 0;
  const auto gbnf = json_schema_gbnf({reinterpret_cast<const char*>(data), size});
  if (!gbnf) return 0;
  auto syntax = parse_gbnf(*gbnf);
  if (!syntax) std::abort();
  const auto automaton = Automaton::compile(*std::move(syntax));
  if (automaton || automaton.error().code == quintet::Code::input) return 0;
  std::abort();
}
