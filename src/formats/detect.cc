#include "formats/detect.h"

#include "base/byte_reader.h"
#include "formats/safetensors/layout.h"
#include "formats/safetensors/reader.h"
#include "formats/weights/layout.h"
#include "formats/weights/reader.h"

namespace quintet {

std::optional<Format> format_named(std::string_view name) {
  for (const Format format : {Format::weights, Format::safetensors}) {
    if (name == name_of(format)) return format;
  }
  return std::nullopt;
}

std::optional<Format> sniff(Bytes head) {
  if (as_text(head).starts_with(weights::kMagic)) return Format::weights;
  if (head.size() < kSniffBytes) return std::nullopt;
  const bool object = head[safetensors::kLengthBytes] == std::byte{'{'};
  if (object && load_le<uint64_t>(head, 0) <= safetensors::kMostHeaderBytes) return Format::safetensors;
  return std::nullopt;
}

Parse<void> read_model(ByteStream& in, std::optional<Format> format, ModelSink& sink, ReadOptions options) {
  if (!format) {
    QUINTET_CO_TRY(const Bytes head, co_await in.peek(kSniffBytes));
    format = sniff(head);
  }
  if (!format) co_return format_error(Reason::bad_magic, 0, "not a model file that quintet knows");
  if (*format == Format::weights) co_return co_await weights::read(in, sink, options);
  co_return co_await safetensors::read(in, sink, options);
}

}  // namespace quintet
