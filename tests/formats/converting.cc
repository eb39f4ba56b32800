#include "tests/formats/converting.h"

#include <algorithm>

namespace quintet::test {
namespace {

void drain(Converter& converter, File& out) {
  const std::vector<std::byte> ready = converter.take();
  out.insert(out.end(), ready.begin(), ready.end());
}

template <class Worker>
Status feed(Worker& converter, Bytes bytes, size_t chunk) {
  while (!bytes.empty()) {
    // In a separate allocation, so that the sanitizers see a use after its end.
    const Bytes piece = bytes.first(std::min(chunk, bytes.size()));
    const File copy(piece.begin(), piece.end());
    QUINTET_CHECK(converter.feed(copy));
    bytes = bytes.subspan(piece.size());
  }
  return {};
}

// Headers only, where the converter follows; whole where it asks for that.
Result<bool> describe_file(Converter& converter, const std::string& name, Bytes bytes, const Feeding& how,
                           bool seekable) {
  QUINTET_CHECK(
      converter.begin_file(name, how.length_known ? std::optional<uint64_t>(bytes.size()) : std::nullopt, seekable));
  while (converter.position() < bytes.size()) {
    const Bytes rest = bytes.subspan(static_cast<size_t>(converter.position()));
    QUINTET_CHECK(feed(converter, rest.first(std::min(how.chunk, rest.size())), how.chunk));
  }
  return converter.end_file();
}

Status describe_files(Converter& converter, const NamedFiles& files, const Feeding& how) {
  for (const auto& [name, bytes] : files) {
    QUINTET_TRY(const bool again, describe_file(converter, name, bytes, how, how.seekable));
    if (!again) continue;
    QUINTET_TRY(const bool twice, describe_file(converter, name, bytes, how, false));
    if (twice) return fail({.code = Code::internal, .detail = "read for a third time"});
  }
  return {};
}

}  // namespace

File file_of(std::string_view text) { return File(as_bytes(text).begin(), as_bytes(text).end()); }

Result<File> convert(const NamedFiles& files, std::string_view options, const Feeding& how) {
  QUINTET_TRY(ConvertOptions read, read_convert_options(options));
  Converter converter(std::move(read));
  File out;
  QUINTET_CHECK(describe_files(converter, files, how));
  QUINTET_CHECK(converter.plan());
  drain(converter, out);
  while (const auto range = converter.next_range()) {
    const Bytes file = files[range->file].second;
    QUINTET_CHECK(feed(converter, file.subspan(static_cast<size_t>(range->offset), static_cast<size_t>(range->bytes)),
                       how.chunk));
    drain(converter, out);
  }
  QUINTET_CHECK(converter.finish());
  drain(converter, out);
  return out;
}

Result<File> convert(const File& model, std::string_view options, const Feeding& how) {
  return convert(NamedFiles{{"", model}}, options, how);
}

Result<std::vector<TensorError>> compare(const NamedFiles& source, std::string_view options, const File& output) {
  constexpr size_t kChunk = 999;
  QUINTET_TRY(ConvertOptions read, read_convert_options(options));
  Verifier verifier(std::move(read));
  for (const auto& [name, bytes] : source) {
    QUINTET_CHECK(verifier.begin_file(name, bytes.size(), false));
    QUINTET_CHECK(feed(verifier, bytes, kChunk));
    QUINTET_CHECK(verifier.end_file());
  }
  QUINTET_CHECK(verifier.begin_output(output.size()));
  QUINTET_CHECK(feed(verifier, output, kChunk));
  QUINTET_CHECK(verifier.end_output());
  QUINTET_CHECK(verifier.plan());
  while (const auto range = verifier.next_range()) {
    const Bytes file = range->file == Verifier::kOutput ? Bytes(output) : Bytes(source[range->file].second);
    QUINTET_CHECK(
        feed(verifier, file.subspan(static_cast<size_t>(range->offset), static_cast<size_t>(range->bytes)), kChunk));
  }
  return verifier.report();
}

}  // namespace quintet::test
