// Reads model files of every format out of memory. Prints a line of JSON for each: bench/subjects/formats.mjs makes a
// table of it. Arguments: rounds (5), and the files by a part of their names (all).

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "bench/native/formats/sinks.h"
#include "formats/model_files.h"

namespace quintet::bench {
namespace {

// Bytes fed at once, as the JavaScript package does it.
constexpr size_t kChunkBytes = 1 << 20;

template <class Run>
double seconds_of(Run run) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  run();
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// The reference: the same bytes, cut at the same places, into memory from the same allocator.
double copy_seconds(const ModelFile& file) {
  std::vector<AlignedBuffer<std::byte>> copies(file.tensors.size());
  const std::byte* from = file.bytes.data();
  const double seconds = seconds_of([&] {
    for (size_t i = 0; i < copies.size(); ++i) {
      const auto bytes = static_cast<size_t>(file.tensors[i].payload_bytes());
      if (!copies[i].resize_uninitialized(bytes)) std::abort();
      std::memcpy(copies[i].data(), from, bytes);
      from += bytes;
    }
  });
  // Looked at, so that no compiler leaves the copies out.
  from = file.bytes.data();
  for (const AlignedBuffer<std::byte>& copy : copies) {
    if (std::memcmp(copy.data(), from, copy.size()) != 0) std::abort();
    from += copy.size();
  }
  return seconds;
}

Status read(const ModelFile& file, Format format, ModelSink& sink) {
  const Bytes bytes = file.bytes;
  ByteStream in(bytes.size());
  Parse<void> parse = read_model(in, format, sink, {});
  parse.start();
  for (size_t at = 0; at < bytes.size() && !parse.done(); at += kChunkBytes) {
    in.feed(bytes.subspan(at, std::min(kChunkBytes, bytes.size() - at)));
  }
  if (!parse.done()) in.end();
  return parse.take();
}

// Seconds of reading into a new sink, which is checked afterwards. Below 0: something was wrong.
double read_seconds(const ModelFile& file, Format format, const SeededValues& values, CheckedSink& sink) {
  Status status;
  const double seconds = seconds_of([&] { status = read(file, format, sink); });
  if (!status) std::fprintf(stderr, "%s\n", status.error().detail.c_str());
  return status && sink.is_right(file, values) ? seconds : -1;
}

struct Times {
  std::vector<double> copied, kept, packed, decoded;
};

bool measure(const ModelFile& file, Format format, bool quantized, const SeededValues& values, int rounds,
             Times& times) {
  if (quantized) {
    DecodingSink comparing(&values);
    if (read_seconds(file, format, values, comparing) < 0) return false;
  }
  const auto add = [&](std::vector<double>& samples, CheckedSink&& sink) {
    samples.push_back(read_seconds(file, format, values, sink));
    return samples.back() >= 0;
  };
  for (int round = 0; round < rounds; ++round) {
    times.copied.push_back(copy_seconds(file));
    if (!add(times.kept, KeepingSink())) return false;
    if (quantized ? !add(times.decoded, DecodingSink()) : !add(times.packed, PackingSink())) return false;
  }
  return true;
}

std::string list(const std::vector<double>& samples) {
  std::string text;
  for (const double seconds : samples) {
    char number[32];
    std::snprintf(number, sizeof(number), "%s%.6f", text.empty() ? "" : ",", seconds);
    text += number;
  }
  return "[" + text + "]";
}

// Puts one model file through everything that can be done with it, and copies its bytes for comparison. Prints one line
// of JSON: the seconds of each repetition. False if something was read wrong.
bool bench_reading(std::string_view name, ModelDescription description, const SeededValues& values, int rounds) {
  const Format format = description.format;
  const bool quantized = std::ranges::any_of(description.tensors, &TensorInfo::quantized);
  const Result<ModelFile> file = write_model(std::move(description), values);
  Times times;
  if (!file || !measure(*file, format, quantized, values, rounds, times)) {
    std::fprintf(stderr, "%.*s: %s\n", static_cast<int>(name.size()), name.data(),
                 file ? "what was read is not what was written" : file.error().detail.c_str());
    return false;
  }
  uint64_t elements = 0;
  for (const TensorInfo& info : file->tensors) elements += info.elements();
  std::printf(R"({"file":"%.*s","bytes":%zu,"values":%llu,"copied":%s,"kept":%s,"packed":%s,"decoded":%s})"
              "\n",
              static_cast<int>(name.size()), name.data(), file->bytes.size(), static_cast<unsigned long long>(elements),
              list(times.copied).c_str(), list(times.kept).c_str(), list(times.packed).c_str(),
              list(times.decoded).c_str());
  std::fflush(stdout);
  return true;
}

constexpr Quantization kInt8 = {.scheme = Scheme::int8, .block = 32};
constexpr Quantization kInt4Block = {.scheme = Scheme::int4_block, .block = 32};
constexpr Quantization kQint8 = {.scheme = Scheme::qint8};

struct Contender {
  std::string_view name;
  ModelDescription (*make)();
};

constexpr Contender kContenders[] = {
    {".weights f32", [] { return encoder(Dtype::f32); }},
    {".weights int8-row", [] { return encoder(Dtype::i8); }},
    {"safetensors f32", [] { return decoder(Format::safetensors, {}); }},
    {"safetensors bf16", [] { return decoder(Format::safetensors, {.dtype = Dtype::bf16}); }},
    {"AMB f32", [] { return decoder(Format::amb, {}); }},
    {"AMB f16", [] { return decoder(Format::amb, {.dtype = Dtype::f16}); }},
    {"AMB int8", [] { return decoder(Format::amb, {.quantization = kInt8}); }},
    {"AMB int4block", [] { return decoder(Format::amb, {.quantization = kInt4Block}); }},
    {"ALT f32", [] { return decoder(Format::alt, {}); }},
    {"ALT qint8", [] { return decoder(Format::alt, {.quantization = kQint8}); }},
    {"tinyRuntime vanilla", [] { return network(NetworkKind::vanilla); }},
    {"tinyRuntime dq8", [] { return network(NetworkKind::dq8); }},
};

int run(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 5;
  const SeededValues values;
  bool right = true;
  for (const Contender& contender : kContenders) {
    bool chosen = argc <= 2;
    for (int i = 2; i < argc; ++i) chosen = chosen || contender.name.find(argv[i]) != std::string_view::npos;
    if (chosen) right = bench_reading(contender.name, contender.make(), values, rounds) && right;
  }
  return right ? 0 : 1;
}

}  // namespace
}  // namespace quintet::bench

int main(int argc, char** argv) { return quintet::bench::run(argc, argv); }
