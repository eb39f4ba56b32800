#include "tests/formats/converting.h"

#include <algorithm>

namespace quintet::test {
namespace {

void drain(Converter& converter, File& out) {
  const std::vector<std::byte> ready = converter.take();
  out.insert(out.end(), ready.begin(), ready.end());
}

Status convert_file(Converter& converter, const std::string& name, Bytes bytes, size_t chunk, bool length_known,
                    File& out) {
  QUINTET_CHECK(converter.begin_file(name, length_known ? std::optional<uint64_t>(bytes.size()) : std::nullopt));
  while (!bytes.empty()) {
    const Bytes piece = bytes.first(std::min(chunk, bytes.size()));
    QUINTET_CHECK(converter.feed(piece));
    bytes = bytes.subspan(piece.size());
    drain(converter, out);
  }
  QUINTET_CHECK(converter.end_file());
  drain(converter, out);
  return {};
}

}  // namespace

File file_of(std::string_view text) { return File(as_bytes(text).begin(), as_bytes(text).end()); }

Result<File> convert(const NamedFiles& files, std::string_view options, size_t chunk, bool length_known) {
  QUINTET_TRY(ConvertOptions read, read_convert_options(options));
  Converter converter(std::move(read));
  File out;
  for (const auto& [name, bytes] : files) {
    QUINTET_CHECK(convert_file(converter, name, bytes, chunk, length_known, out));
  }
  QUINTET_CHECK(converter.finish());
  drain(converter, out);
  return out;
}

Result<File> convert(const File& model, std::string_view options, size_t chunk, bool length_known) {
  return convert(NamedFiles{{"", model}}, options, chunk, length_known);
}

}  // namespace quintet::test
