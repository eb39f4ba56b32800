#include "tests/golden/cache_files.h"

#include <gtest/gtest.h>

#include "base/byte_stream.h"
#include "runtime/kv/cache_writer.h"
#include "runtime/kv/kv_cache_sink.h"

namespace quintet::test {
namespace {

Status read_file_into(kv::KvCacheSink& reader, std::span<const std::byte> file) {
  ByteStream in(file.size());
  Parse<void> parse = kv::read_cache(in, reader);
  parse.start();
  if (!parse.done()) in.feed(file);
  if (!parse.done()) in.end();
  return parse.take();
}

}  // namespace

std::vector<std::byte> saved_cache(const GenerationSession& session, const kv::Storage& storage, bool with_sampler) {
  auto content = session.content(with_sampler);
  EXPECT_TRUE(content) << content.error().detail;
  auto writer = kv::CacheWriter::create(*std::move(content), storage);
  EXPECT_TRUE(writer) << writer.error().detail;
  constexpr size_t kPiece = 1000;
  std::vector<std::byte> file;
  for (size_t count = kPiece; count == kPiece;) {
    const size_t at = file.size();
    file.resize(at + kPiece);
    const auto written = writer->write(std::span(file).subspan(at));
    EXPECT_TRUE(written);
    count = *written;
    file.resize(at + count);
  }
  EXPECT_EQ(file.size(), writer->bytes());
  return file;
}

Status load_cache(GenerationSession& session, std::span<const std::byte> file,
                  std::optional<std::vector<uint32_t>> tokens, bool with_sampler) {
  kv::KvCacheSink reader(session.cache_target());
  QUINTET_CHECK(read_file_into(reader, file));
  return session.restore(reader.take(), std::move(tokens), with_sampler);
}

Status check_cache(const kv::CacheTarget& target, std::span<const std::byte> file) {
  kv::KvCacheSink reader(target);
  return read_file_into(reader, file);
}

kv::CacheContent read_cache_content(std::span<const std::byte> file) {
  kv::KvCacheSink reader(std::nullopt);
  const Status status = read_file_into(reader, file);
  EXPECT_TRUE(status) << status.error().detail;
  return reader.take();
}

}  // namespace quintet::test
