// Conversion of any file into any format: the first two bytes choose target and quantization, the rest is the model.
// The output is a file that the target's reader accepts, with the tensors that were announced.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/description_sink.h"
#include "formats/model_files.h"
#include "runtime/convert/converter.h"

namespace {

using namespace quintet;

constexpr std::array<std::string_view, 5> kTargets = {"amb", "alt", "weights", "safetensors", "tinyruntime"};
constexpr std::array<std::string_view, 15> kQuantizations = {
    "",          "none",     "f16",      "bf16",       "int8", "int4",          "int5", "int4block",
    "int5block", "adaptive", "int8-row", "int8-group", "dq8",  "dq8-symmetric", "sq8"};

std::string options_of(uint8_t target, uint8_t quantization) {
  std::string options = "{\"to\":\"" + std::string(kTargets[target % kTargets.size()]) + '"';
  const std::string_view quantize = kQuantizations[quantization % kQuantizations.size()];
  if (!quantize.empty()) options += ",\"quantize\":\"" + std::string(quantize) + '"';
  return options + '}';
}

Status feed(Converter& converter, Bytes bytes) {
  constexpr size_t kPiece = 777;
  while (!bytes.empty()) {
    const Bytes piece = bytes.first(std::min(kPiece, bytes.size()));
    QUINTET_CHECK(converter.feed(piece));
    bytes = bytes.subspan(piece.size());
  }
  return {};
}

Result<std::vector<std::byte>> convert(Bytes model, ConvertOptions options) {
  Converter converter(std::move(options));
  std::vector<std::byte> out;
  const auto drain = [&] {
    const std::vector<std::byte> ready = converter.take();
    out.insert(out.end(), ready.begin(), ready.end());
  };
  QUINTET_CHECK(converter.begin_file("", model.size(), false));
  QUINTET_CHECK(feed(converter, model));
  QUINTET_CHECK(converter.end_file());
  QUINTET_CHECK(converter.plan());
  drain();
  while (const auto range = converter.next_range()) {
    // Only bytes that a file contains are asked for, regardless of its claims.
    if (range->offset > model.size() || range->bytes > model.size() - range->offset) std::abort();
    QUINTET_CHECK(
        feed(converter, model.subspan(static_cast<size_t>(range->offset), static_cast<size_t>(range->bytes))));
    drain();
  }
  if (converter.wants_calibration()) {
    QUINTET_CHECK(converter.calibrate(std::vector<float>(3 * 32 * 32, 0.5F), 32, 32));
  }
  QUINTET_CHECK(converter.finish());
  drain();
  return out;
}

Status read(Bytes file, Format format) {
  DescriptionSink sink;
  ByteStream in(file.size());
  Parse<void> parse = read_model(in, format, sink, {});
  parse.start();
  if (!parse.done()) in.feed(file);
  if (!parse.done()) in.end();
  return parse.take();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 2) return 0;
  auto options = read_convert_options(options_of(data[0], data[1]));
  if (!options) return 0;  // a quantization that the target has not
  const Format to = options->to;
  const auto written = convert(std::as_bytes(std::span(data, size)).subspan(2), std::move(*options));
  if (!written) {
    if (written.error().detail.empty()) std::abort();
    return 0;
  }
  if (!read(*written, to)) std::abort();
  return 0;
}
