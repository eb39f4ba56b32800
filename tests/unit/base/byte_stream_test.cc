#include "base/byte_stream.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace quintet {
namespace {

constexpr std::string_view kText = "0123456789abcdefghij";

// Every kind of request, in an order that leaves bytes set aside for the next one.
Parse<std::string> read_mixed(ByteStream& in) {
  std::string seen;
  QUINTET_CO_TRY(const Bytes ahead, co_await in.peek(6));
  seen += "peek " + std::string(as_text(ahead));
  QUINTET_CO_TRY(const Bytes first, co_await in.bytes(2));
  seen += " bytes " + std::string(as_text(first));
  QUINTET_CO_TRY(const Bytes again, co_await in.peek(3));
  seen += " peek " + std::string(as_text(again));
  std::string some;
  while (some.size() < 6) {
    QUINTET_CO_TRY(const Bytes piece, co_await in.some(6 - some.size()));
    EXPECT_FALSE(piece.empty());
    some += as_text(piece);
  }
  seen += " some " + some;
  QUINTET_CO_CHECK(co_await in.skip(5));
  EXPECT_EQ(in.offset(), 13u);
  QUINTET_CO_TRY(const Bytes rest, co_await in.bytes(7));
  seen += " bytes " + std::string(as_text(rest));
  QUINTET_CO_TRY(const Bytes end, co_await in.peek(4));
  seen += " end " + std::to_string(end.size());
  co_return seen;
}

Result<std::string> run(size_t chunk, bool length_known, bool seekable, std::string_view text = kText) {
  ByteStream in(length_known ? std::optional<uint64_t>(text.size()) : std::nullopt, seekable);
  Parse<std::string> parse = read_mixed(in);
  parse.start();
  while (!parse.done() && in.position() < text.size()) {
    const std::string piece(text.substr(static_cast<size_t>(in.position()), chunk));
    in.feed(as_bytes(piece));
  }
  if (!parse.done()) in.end();
  EXPECT_TRUE(parse.done());
  return parse.take();
}

TEST(ByteStream, EveryChunkSizeGivesTheSame) {
  for (size_t chunk = 1; chunk <= kText.size(); ++chunk) {
    for (const bool known : {false, true}) {
      for (const bool seekable : {false, true}) {
        const auto seen = run(chunk, known, seekable);
        ASSERT_TRUE(seen) << chunk;
        EXPECT_EQ(*seen, "peek 012345 bytes 01 peek 234 some 234567 bytes defghij end 0") << chunk;
      }
    }
  }
}

TEST(ByteStream, AnInputThatEndsEarlySaysWhere) {
  for (size_t length = 0; length < kText.size(); ++length) {
    for (const bool known : {false, true}) {
      const auto seen = run(3, known, false, kText.substr(0, length));
      ASSERT_FALSE(seen) << length;
      EXPECT_EQ(seen.error().reason, Reason::truncated);
      EXPECT_LE(*seen.error().offset, length);
    }
  }
}

}  // namespace
}  // namespace quintet
