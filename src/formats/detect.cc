#include "formats/detect.h"

#include <algorithm>
#include <string>

#include "base/byte_reader.h"
#include "formats/alt/reader.h"
#include "formats/amb/reader.h"
#include "formats/embd/layout.h"
#include "formats/gguf/reader.h"
#include "formats/model_classes.h"
#include "formats/other_files.h"
#include "formats/safetensors/header.h"
#include "formats/safetensors/reader.h"
#include "formats/tinyruntime/network.h"

namespace quintet {
namespace {

constexpr std::string_view kAmbMagic = "AMBEE";
constexpr std::string_view kGgufMagic = "GGUF";
// The start marker of ALT and the one in its overview, whose high words are 0.
constexpr std::string_view kAltMagics[] = {std::string_view("\0tla", 4), "ctla"};

bool is_safetensors(Bytes head) {
  constexpr size_t kMin = safetensors::kLengthBytes + 1;
  return head.size() >= kMin && head[safetensors::kLengthBytes] == std::byte{'{'} &&
         load_le<uint64_t>(head, 0) <= safetensors::kMaxHeaderBytes;
}

// These files start with four counts and no magic number: classes, convolutions, linear layers, batch norms.
bool is_tinyruntime(Bytes head) {
  if (head.size() < 16) return false;
  const auto count = [head](size_t i) { return load_le<uint32_t>(head, 4 * i); };
  return tinyruntime::find_variant(count(1)) != nullptr && (count(2) == 1 || count(2) == 2) &&
         (count(3) == 0 || count(3) == 2);
}

}  // namespace

std::optional<Format> format_named(std::string_view name) {
  for (const Format format :
       {Format::embd, Format::safetensors, Format::amb, Format::alt, Format::tinyruntime, Format::gguf}) {
    if (name == name_of(format)) return format;
  }
  return std::nullopt;
}

std::optional<Format> sniff(Bytes head) {
  const std::string_view text = as_text(head);
  if (text.starts_with(embd::kMagic)) return Format::embd;
  if (text.starts_with(kAmbMagic)) return Format::amb;
  if (text.starts_with(kGgufMagic)) return Format::gguf;
  if (std::ranges::any_of(kAltMagics, [text](std::string_view magic) { return text.starts_with(magic); })) {
    return Format::alt;
  }
  if (is_safetensors(head)) return Format::safetensors;
  if (is_tinyruntime(head)) return Format::tinyruntime;
  return std::nullopt;
}

Parse<Format> find_format(ByteStream& in, std::optional<Format> format) {
  QUINTET_CO_TRY(const Bytes head, co_await in.peek(kSniffBytes));
  const std::optional<Format> found = sniff(head);
  if (found && (!format || found == format)) co_return *found;
  if (format && other_kind(head, Expected::model).empty()) co_return *format;
  Failure failure =
      format_error(Reason::bad_magic, 0, "{}", with_other_kind("not a model file that quintet knows", head));
  co_return format ? in_format(std::move(failure), name_of(*format)) : std::move(failure);
}

Parse<void> read_decoder_model(ByteStream& in, std::optional<Format> format, ModelSink& sink, ReadOptions options) {
  QUINTET_CO_TRY(const Format found, co_await find_format(in, format));
  switch (found) {
    case Format::safetensors:
      co_return co_await safetensors::read(in, sink, options);
    case Format::amb:
      co_return co_await amb::read(in, sink, options);
    case Format::alt:
      co_return co_await alt::read(in, sink, options);
    case Format::gguf:
      co_return co_await gguf::read(in, sink, options);
    case Format::embd:
    case Format::tinyruntime:
      break;
  }
  co_return not_read_by(ModelClass::text_generator, found);
}

}  // namespace quintet
