#include "tests/formats/reading.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "tensor/codecs/payload.h"

namespace quintet::test {
namespace {

class Collector : public ByteSink {
 public:
  Collector(std::vector<std::byte>& out, uint64_t expected) : out_(out), expected_(expected) {}
  Status write(Bytes bytes) override {
    out_.insert(out_.end(), bytes.begin(), bytes.end());
    return {};
  }
  Status finish() override {
    EXPECT_EQ(out_.size(), expected_);
    return {};
  }

 private:
  std::vector<std::byte>& out_;
  uint64_t expected_;
};

class CollectingSink : public ModelSink {
 public:
  CollectingSink(ReadFile& file, bool wants_data) : file_(file), wants_data_(wants_data) {}
  Status begin(const ModelDescription&) override {
    EXPECT_EQ(++begun_, 1);
    return {};
  }
  Result<std::unique_ptr<ByteSink>> tensor(const TensorArrival& tensor) override {
    if (!wants_data_) return nullptr;
    std::vector<std::byte>& payload = file_.data[tensor.info.name];
    payload.clear();  // of a duplicate, which a reader may find at its end
    return std::make_unique<Collector>(payload, tensor.info.payload_bytes());
  }
  Status end(ModelDescription description) override {
    file_.description = std::move(description);
    return {};
  }

 private:
  ReadFile& file_;
  bool wants_data_;
  int begun_ = 0;
};

std::vector<float> decoded(const TensorInfo& info, Bytes payload) {
  std::vector<float> values;
  auto decoder = make_decoder(info.dtype, info.quantization, info.elements(), info.bytes,
                              std::make_unique<ValueCollector>(values));
  EXPECT_TRUE(decoder);
  EXPECT_TRUE((*decoder)->write(payload));
  EXPECT_TRUE((*decoder)->finish());
  return values;
}

}  // namespace

File fixture(std::string_view path) {
  std::ifstream in(std::string(QUINTET_FIXTURES "/") + std::string(path), std::ios::binary);
  EXPECT_TRUE(in.good()) << path;
  const std::vector<char> chars((std::istreambuf_iterator<char>(in)), {});
  const auto* begin = reinterpret_cast<const std::byte*>(chars.data());
  return File(begin, begin + chars.size());
}

Status drive(Bytes file, ByteStream& in, Parse<void>& parse, size_t chunk) {
  parse.start();
  while (!parse.done() && in.position() < file.size()) {
    const Bytes rest = file.subspan(static_cast<size_t>(in.position()));
    // In a separate allocation, so that the sanitizers see a read beyond it and a use after its end.
    const std::vector<std::byte> piece(rest.begin(),
                                       rest.begin() + static_cast<std::ptrdiff_t>(std::min(chunk, rest.size())));
    in.feed(piece);
  }
  if (!parse.done()) in.end();
  EXPECT_TRUE(parse.done());
  return parse.take();
}

Result<ReadFile> read_file(Bytes file, const Reading& how) {
  ReadFile out;
  CollectingSink sink(out, how.wants_data);
  ByteStream in(how.length_known ? std::optional<uint64_t>(file.size()) : std::nullopt, how.seekable);
  Parse<void> parse =
      read_model(in, how.format, sink, {.seekable = how.seekable, .verify_checksums = how.verify_checksums});
  if (Status status = drive(file, in, parse, how.chunk); !status) return fail(status.error());
  return out;
}

std::vector<float> dequantized(const ReadFile& file, const std::string& name) {
  const TensorInfo& info = *file.description.find_tensor(name);
  const std::vector<std::byte>& bytes = file.data.at(name);
  if (info.quantized()) return decoded(info, bytes);
  std::vector<float> values(static_cast<size_t>(info.elements()));
  decode(info.dtype, bytes, values);
  if (info.dtype != Dtype::i8 || file.description.format != Format::embd) return values;
  const std::vector<float> scales = dequantized(file, name + ".scale");
  const size_t group = values.size() / scales.size();
  for (size_t i = 0; i < values.size(); ++i) values[i] *= scales[i / group];
  return values;
}

}  // namespace quintet::test
