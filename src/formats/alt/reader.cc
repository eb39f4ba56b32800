#include "formats/alt/reader.h"

#include <utility>

#include "formats/alt/general_section.h"
#include "formats/alt/parameters_section.h"
#include "formats/alt/section.h"
#include "formats/alt/tensors_section.h"
#include "formats/alt/tokenizer_section.h"

namespace quintet::alt {
namespace {

template <ReadDepth kDepth>
Parse<void> read_file(ByteStream& in, ModelSink& sink) {
  ModelDescription description;
  description.format = Format::alt;
  description.kind = "ALT";
  description.version_major = kVersion;
  QUINTET_CO_CHECK(co_await read_start(in));
  QUINTET_CO_CHECK(co_await read_general(in, description));
  QUINTET_CO_CHECK(co_await read_parameters(in, description));
  QUINTET_CO_CHECK(co_await read_tokenizer(in, description));
  description.file_size = in.total();
  if constexpr (kDepth == ReadDepth::whole) {
    QUINTET_CO_CHECK(sink.begin(description));
    // A file may end here: then it is only a tokenizer (docs/formats/alt.md).
    QUINTET_CO_TRY(const Bytes next, co_await in.peek(kMarkerBytes));
    if (!is_end_marker(next)) QUINTET_CO_CHECK(co_await read_tensors(in, sink, description));
    QUINTET_CO_CHECK(co_await read_end(in));
    description.file_size = in.offset();
  }
  co_return sink.end(std::move(description));
}

}  // namespace

Parse<void> read(ByteStream& in, ModelSink& sink, ReadOptions) {
  Status status = co_await read_file<ReadDepth::whole>(in, sink);
  if (!status) co_return in_format(failure_of(std::move(status)), name_of(Format::alt));
  co_return Status();
}

Parse<void> read_head(ByteStream& in, ModelSink& sink) {
  Status status = co_await read_file<ReadDepth::head>(in, sink);
  if (!status) co_return in_format(failure_of(std::move(status)), name_of(Format::alt));
  co_return Status();
}

}  // namespace quintet::alt
