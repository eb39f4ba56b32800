#pragma once
// Runs a conversion over files in memory.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/convert/converter.h"
#include "runtime/convert/verifier.h"
#include "tests/formats/reading.h"

namespace quintet::test {

using NamedFiles = std::vector<std::pair<std::string, File>>;

File file_of(std::string_view text);

struct Feeding {
  size_t chunk = SIZE_MAX;
  bool length_known = true;
  bool seekable = true;
};

// `options` is the JSON of the contract's ConvertOptions.
Result<File> convert(const NamedFiles& files, std::string_view options, const Feeding& how = {});
Result<File> convert(const File& model, std::string_view options, const Feeding& how = {});

// Compares a converted file with its source, tensor by tensor.
Result<std::vector<TensorError>> compare(const NamedFiles& source, std::string_view options, const File& output);

}  // namespace quintet::test
