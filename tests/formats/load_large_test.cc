// A file of more than 2 GB: sizes and places beyond 31 bits. Nearly all of it is a hole, in which every byte is 0. The
// address sanitizer would take minutes over it.

#include <gtest/gtest.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define QUINTET_SLOW_BUILD 1
#endif
#endif

#ifndef QUINTET_SLOW_BUILD

#include <algorithm>
#include <cstdio>

#include "formats/model_files.h"
#include "tests/formats/loading.h"
#include "tests/unit/tensor/codecs/payloads.h"

namespace quintet::test {
namespace {

constexpr uint64_t kRows = 23'000'000;  // of 24 values in float32: 2.2 GB
constexpr size_t kCols = 24;
constexpr std::string_view kEmbedding = "model.embed_tokens.weight";

// A file that disappears when it is closed, and in which zeros need no space.
class SparseFile {
 public:
  ~SparseFile() { std::fclose(file_); }

  void write(Bytes bytes) {
    const bool zeros = std::ranges::all_of(bytes, [](std::byte byte) { return byte == std::byte{0}; });
    if (!zeros) {
      std::fseek(file_, static_cast<long>(size_), SEEK_SET);
      EXPECT_EQ(std::fwrite(bytes.data(), 1, bytes.size(), file_), bytes.size());
    }
    size_ += bytes.size();
  }
  size_t read(uint64_t at, std::span<std::byte> out) {
    std::fseek(file_, static_cast<long>(at), SEEK_SET);
    return std::fread(out.data(), 1, out.size(), file_);
  }
  uint64_t size() const { return size_; }

 private:
  std::FILE* file_ = std::tmpfile();
  uint64_t size_ = 0;
};

// Like f32.alt, with this many rows of embeddings, which are also the output; the rows of f32.alt come last.
ModelDescription large_model(const ReadFile& source) {
  ModelDescription model;
  model.format = Format::alt;
  model.metadata = source.description.metadata;
  model.tokenizer = source.description.tokenizer;
  for (const auto& [name, value] : *source.description.config.as_object()) {
    model.config.append(name, name == "tie_word_embeddings" ? Json(true) : value);
  }
  for (const TensorInfo& info : source.description.tensors) {
    if (info.name == "lm_head.weight") continue;
    model.tensors.push_back(info);
    if (info.name == kEmbedding) model.tensors.back().shape[0] = kRows;
  }
  return model;
}

void write_large(const ReadFile& source, SparseFile& file) {
  const auto writer = make_writer(Format::alt);
  ModelDescription model = large_model(source);
  std::vector<std::byte> out;
  const auto flush = [&] {
    file.write(out);
    out.clear();
  };
  const Status begun = writer->begin(model, out);
  ASSERT_TRUE(begun) << begun.error().detail;
  flush();
  const std::vector<std::byte> zeros(1 << 20);
  for (const TensorInfo& info : model.tensors) {
    ASSERT_TRUE(writer->begin_tensor(info, out));
    flush();
    const std::vector<std::byte>& payload = source.data.at(info.name);
    for (uint64_t left = info.bytes - payload.size(); left != 0;) {
      const Bytes piece = Bytes(zeros).first(static_cast<size_t>(std::min<uint64_t>(left, zeros.size())));
      ASSERT_TRUE(writer->write(piece, out));
      flush();
      left -= piece.size();
    }
    ASSERT_TRUE(writer->write(payload, out));
    flush();
  }
  ASSERT_TRUE(writer->finish(out));
  flush();
}

LoadedModel load_large(SparseFile& file) {
  GeneratorLoader loader({.quantize = GeneratorOptions::Quantize::int4}, std::nullopt, uint64_t{2} << 30);
  QUINTET_CHECK(loader.begin_file("large.alt", file.size()));
  std::vector<std::byte> chunk(1 << 20);
  for (uint64_t at = 0; at < file.size();) {
    const size_t count = file.read(at, chunk);
    QUINTET_CHECK(loader.feed(Bytes(chunk).first(count)));
    at += count;
  }
  QUINTET_CHECK(loader.end_file());
  return loader.finish();
}

std::vector<float> requantized(const std::vector<float>& values, uint32_t block) {
  return *decoded(*encoded(values, Dtype::f32, {.scheme = Scheme::int4_block, .block = block}));
}

TEST(LoadedDecoder, MayComeFromMoreThanTwoGigabytes) {
  const auto source = read_file(fixture("alt/f32.alt"));
  ASSERT_TRUE(source);
  ASSERT_EQ(source->description.find_tensor(kEmbedding)->shape[1], kCols);
  SparseFile file;
  write_large(*source, file);
  ASSERT_GT(file.size(), uint64_t{1} << 31);
  const auto model = load_large(file);
  ASSERT_TRUE(model) << model.error().detail;
  EXPECT_EQ((*model)->description.file_size, file.size());

  const auto& embeddings = std::get<BlockMatrix>((*model)->weights.shared[decoder::TensorKind::embeddings].matrix);
  ASSERT_EQ(embeddings.rows(), kRows);
  const std::vector<float> last = requantized(dequantized(*source, std::string(kEmbedding)), kCols);
  const size_t begin = embeddings.rows() - last.size() / kCols;
  std::vector<float> row(kCols);
  for (size_t i = begin - 3; i < begin; ++i) {
    embeddings.read_row(i, row.data());
    EXPECT_EQ(row, std::vector<float>(kCols));
  }
  for (size_t i = begin; i < embeddings.rows(); ++i) {
    embeddings.read_row(i, row.data());
    EXPECT_TRUE(std::ranges::equal(row, std::span(last).subspan((i - begin) * kCols, kCols))) << i;
  }
  for (const TensorInfo& info : (*model)->description.tensors) {
    if (info.name == kEmbedding) continue;
    SCOPED_TRACE(info.name);
    const std::vector<float> values = dequantized(*source, info.name);
    const WeightMatrix* matrix = held_matrix(**model, info.name);
    const uint32_t block = matrix ? static_cast<uint32_t>(std::get<BlockMatrix>(*matrix).block()) : 0;
    expect_same_values(*held_values(**model, info.name), matrix ? requantized(values, block) : values);
  }
}

}  // namespace
}  // namespace quintet::test

#endif
