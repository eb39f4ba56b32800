#include "tests/tokenizers/coding.h"

#include <gtest/gtest.h>

namespace quintet::test {

std::vector<uint32_t> encode(const Tokenizer& tokenizer, std::string_view text, bool begins) {
  std::vector<uint32_t> ids;
  const Status status = tokenizer.encode(text, begins, ids);
  EXPECT_TRUE(status) << status.error().detail;
  return ids;
}

std::string decode(const Tokenizer& tokenizer, const std::vector<uint32_t>& ids) {
  std::string bytes;
  for (size_t i = 0; i < ids.size(); ++i) tokenizer.decode(ids[i], i == 0, bytes);
  return bytes;
}

}  // namespace quintet::test
