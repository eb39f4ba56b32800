#include "formats/embd/reader.h"

#include <utility>

#include "formats/embd/container_reader.h"
#include "formats/embd/flat_reader.h"
#include "formats/embd/layout.h"

namespace quintet::embd {
namespace {

Status check_magic(Bytes head) {
  const std::string_view found = as_text(head).substr(0, kMagic.size());
  if (found == kMagic) return {};
  if (kMagic.starts_with(found)) {
    return format_error(Reason::truncated, head.size(), "the file ends inside its magic number");
  }
  return format_error(Reason::bad_magic, header_at::kMagic, "the file does not begin with EMBD");
}

template <ReadDepth kDepth>
Parse<void> read_either(ByteStream& in, ModelSink& sink, ReadOptions options) {
  QUINTET_CO_TRY(const Bytes head, co_await in.peek(kHeaderBytes));
  QUINTET_CO_CHECK(check_magic(head));
  if (is_flat(head)) {
    FlatReader reader(in, sink);
    co_return co_await reader.read();
  }
  ContainerReader reader(in, sink, options);
  co_return co_await reader.read<kDepth>();
}

}  // namespace

Parse<void> read(ByteStream& in, ModelSink& sink, ReadOptions options) {
  Status status = co_await read_either<ReadDepth::whole>(in, sink, options);
  if (!status) co_return in_format(failure_of(std::move(status)), name_of(Format::embd));
  co_return Status();
}

Parse<void> read_head(ByteStream& in, ModelSink& sink) {
  Status status = co_await read_either<ReadDepth::head>(in, sink, {.verify_checksums = false});
  if (!status) co_return in_format(failure_of(std::move(status)), name_of(Format::embd));
  co_return Status();
}

}  // namespace quintet::embd
