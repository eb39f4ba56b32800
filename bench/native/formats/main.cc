// Reads model files of every format out of memory. Prints a line of JSON for each: bench/subjects/formats.mjs makes a
// table of it. Arguments: rounds (5), and the files by a part of their names (all).

#include <cstdlib>
#include <string_view>

#include "bench/native/formats/models.h"
#include "bench/native/formats/reading.h"

namespace {

using namespace quintet;
using namespace quintet::bench;

constexpr Quantization kInt8 = {.scheme = Scheme::int8, .block = 32};
constexpr Quantization kInt4Block = {.scheme = Scheme::int4_block, .block = 32};
constexpr Quantization kQint8 = {.scheme = Scheme::qint8};

struct Contender {
  std::string_view name;
  ModelDescription (*make)();
};

constexpr Contender kContenders[] = {
    {".weights f32", [] { return encoder(Dtype::f32); }},
    {".weights int8-row", [] { return encoder(Dtype::i8); }},
    {"safetensors f32", [] { return decoder(Format::safetensors, {}); }},
    {"safetensors bf16", [] { return decoder(Format::safetensors, {.dtype = Dtype::bf16}); }},
    {"AMB f32", [] { return decoder(Format::amb, {}); }},
    {"AMB f16", [] { return decoder(Format::amb, {.dtype = Dtype::f16}); }},
    {"AMB int8", [] { return decoder(Format::amb, {.quantization = kInt8}); }},
    {"AMB int4block", [] { return decoder(Format::amb, {.quantization = kInt4Block}); }},
    {"ALT f32", [] { return decoder(Format::alt, {}); }},
    {"ALT qint8", [] { return decoder(Format::alt, {.quantization = kQint8}); }},
    {"tinyRuntime vanilla", [] { return network(NetworkKind::vanilla); }},
    {"tinyRuntime dq8", [] { return network(NetworkKind::dq8); }},
};

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 5;
  const SeededValues values;
  bool right = true;
  for (const Contender& contender : kContenders) {
    bool chosen = argc <= 2;
    for (int i = 2; i < argc; ++i) chosen = chosen || contender.name.find(argv[i]) != std::string_view::npos;
    if (chosen) right = bench_reading(contender.name, contender.make(), values, rounds) && right;
  }
  return right ? 0 : 1;
}
