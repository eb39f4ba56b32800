#pragma once
// Tokenizers without their models, from files in memory.

#include <string>
#include <utility>
#include <vector>

#include "runtime/tokenize/standalone_tokenizer.h"
#include "tests/formats/reading.h"

namespace quintet::test {

// From one file, as read_tokenizer_file() expects it; `chunk`: most bytes fed at a time.
Result<StandaloneTokenizer> read_standalone_tokenizer(const File& file, size_t chunk = SIZE_MAX,
                                                      bool length_known = true);
Result<StandaloneTokenizer> read_standalone_tokenizer(std::string_view text);
// From the files of a folder, by name and content.
Result<StandaloneTokenizer> read_tokenizer_folder(const std::vector<std::pair<std::string, std::string>>& files);

// The tokenizer of a file of tests/fixtures, which is right.
StandaloneTokenizer standalone_tokenizer(const std::string& fixture_path);

}  // namespace quintet::test
