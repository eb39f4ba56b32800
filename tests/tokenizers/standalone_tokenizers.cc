#include "tests/tokenizers/standalone_tokenizers.h"

#include <gtest/gtest.h>

#include "formats/description_sink.h"
#include "runtime/model_folder/folder_files.h"
#include "runtime/tokenize/tokenizer_file.h"

namespace quintet::test {

Result<StandaloneTokenizer> read_standalone_tokenizer(const File& file, size_t chunk, bool length_known) {
  DescriptionSink sink;
  ByteStream in(length_known ? std::optional<uint64_t>(file.size()) : std::nullopt);
  Parse<void> parse = read_tokenizer_file(in, std::nullopt, sink, {.verify_checksums = false});
  QUINTET_CHECK(drive(file, in, parse, chunk));
  return StandaloneTokenizer::create(sink.take());
}

Result<StandaloneTokenizer> read_standalone_tokenizer(std::string_view text) {
  const Bytes bytes = as_bytes(text);
  return read_standalone_tokenizer(File(bytes.begin(), bytes.end()));
}

Result<StandaloneTokenizer> read_tokenizer_folder(const std::vector<std::pair<std::string, std::string>>& files) {
  FolderFiles folder;
  for (const auto& [name, text] : files) {
    folder.begin(name);
    QUINTET_CHECK(folder.feed(as_bytes(text)));
    QUINTET_CHECK(folder.end());
  }
  QUINTET_TRY(ModelDescription description, folder.folder().describe_tokenizer());
  return StandaloneTokenizer::create(std::move(description));
}

StandaloneTokenizer standalone_tokenizer(const std::string& fixture_path) {
  auto tokenizer = read_standalone_tokenizer(fixture(fixture_path));
  EXPECT_TRUE(tokenizer) << fixture_path << ": " << tokenizer.error().detail;
  return std::move(*tokenizer);
}

}  // namespace quintet::test
