#include "formats/safetensors/reader.h"

#include <memory>
#include <string>
#include <utility>

#include "base/byte_reader.h"
#include "formats/model_sink.h"
#include "formats/safetensors/header.h"

namespace quintet::safetensors {
namespace {

Parse<uint64_t> read_length(ByteStream& in) {
  QUINTET_CO_TRY(const Bytes bytes, co_await in.bytes(kLengthBytes));
  const auto length = load_le<uint64_t>(bytes, 0);
  if (length > kMaxHeaderBytes) {
    co_return format_error(Reason::limit, 0, "a header of {} bytes, at most 100 MB is allowed", length);
  }
  if (length > in.remaining()) {
    co_return format_error(Reason::limit, 0, "a header of {} bytes in a file of {}", length, *in.total());
  }
  constexpr uint64_t kMin = 2;  // {}
  if (length < kMin) {
    co_return format_error(Reason::limit, 0, "a header of {} bytes, which is too short for a JSON object", length);
  }
  co_return length;
}

// Checks sizes against the length of the input, if that is known.
Status check_size(const ByteStream& in, const ModelDescription& description) {
  if (!in.length_known()) return {};
  const uint64_t data = data_bytes(description);
  if (in.remaining() == data) return {};
  const std::string detail =
      formatted("the header announces {} bytes of data, but the file has {}", data, in.remaining());
  if (in.remaining() < data) return format_error(Reason::truncated, *in.total(), "{}", detail);
  return format_error(Reason::trailing, in.offset() + data, "{}", detail);
}

Parse<void> read_file(ByteStream& in, ModelSink& sink) {
  QUINTET_CO_TRY(const uint64_t length, co_await read_length(in));
  QUINTET_CO_TRY(const Bytes text, co_await in.bytes(length));
  QUINTET_CO_TRY(ModelDescription description, read_header(as_text(text)));
  description.file_size = in.offset() + data_bytes(description);
  QUINTET_CO_CHECK(check_size(in, description));
  QUINTET_CO_CHECK(sink.begin(description));
  for (const TensorInfo& info : description.tensors) QUINTET_CO_CHECK(co_await read_tensor_data(in, sink, info));
  QUINTET_CO_TRY(const Bytes more, co_await in.peek());
  if (!more.empty()) co_return format_error(Reason::trailing, in.offset(), "there are bytes after the last tensor");
  co_return sink.end(std::move(description));
}

}  // namespace

Parse<void> read(ByteStream& in, ModelSink& sink, ReadOptions) {
  Status status = co_await read_file(in, sink);
  if (!status) co_return in_format(failure_of(std::move(status)), name_of(Format::safetensors));
  co_return Status();
}

}  // namespace quintet::safetensors
