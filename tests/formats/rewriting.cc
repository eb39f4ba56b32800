#include "tests/formats/rewriting.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "formats/model_files.h"

namespace quintet::test {
namespace {

Status write_payload(ModelWriter& writer, Bytes payload, size_t piece, File& out) {
  while (!payload.empty()) {
    const Bytes next = payload.first(std::min(piece, payload.size()));
    QUINTET_CHECK(writer.write(next, out));
    payload = payload.subspan(next.size());
  }
  return {};
}

void expect_same_strings(const StringTable& a, const StringTable& b) {
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) EXPECT_EQ(a[i], b[i]) << i;
}

void expect_same_tokenizer(const TokenizerDescription& a, const TokenizerDescription& b) {
  ASSERT_EQ(a.type(), b.type());
  const auto ids = [](const SpecialIds& s) { return std::array{s.bos, s.eos, s.pad, s.unk, s.mask, s.cls, s.sep}; };
  EXPECT_EQ(ids(a.special), ids(b.special));
  expect_same_strings(a.tokens, b.tokens);
  EXPECT_EQ(a.piece_types, b.piece_types);
  if (a.bpe()) {
    expect_same_strings(a.bpe()->merges, b.bpe()->merges);
    EXPECT_EQ(a.bpe()->ids, b.bpe()->ids);
  }
  if (a.sentencepiece()) {
    EXPECT_EQ(a.sentencepiece()->scores, b.sentencepiece()->scores);
    EXPECT_EQ(a.sentencepiece()->proto, b.sentencepiece()->proto);
  }
  const auto *custom = std::get_if<CustomDescription>(&a.kind), *other = std::get_if<CustomDescription>(&b.kind);
  if (custom) {
    EXPECT_EQ(custom->section, other->section);
  }
}

}  // namespace

Result<WrittenFile> write_file(const ReadFile& model, Format format, size_t piece) {
  const std::unique_ptr<ModelWriter> writer = make_writer(format);
  WrittenFile out{.bytes = {}, .description = model.description};
  std::vector<TensorInfo>& tensors = out.description.tensors;
  const std::vector<size_t> order = writer->tensor_order(model.description.tensors);
  EXPECT_EQ(order.size(), tensors.size());
  for (size_t i = 0; i < order.size(); ++i) tensors[i] = model.description.tensors[order[i]];
  QUINTET_CHECK(writer->begin(out.description, out.bytes));
  for (const TensorInfo& info : tensors) {
    QUINTET_CHECK(writer->begin_tensor(info, out.bytes));
    QUINTET_CHECK(write_payload(*writer, model.data.at(info.name), piece, out.bytes));
  }
  QUINTET_CHECK(writer->finish(out.bytes));
  return out;
}

Result<File> rewritten(Bytes file, Format format, size_t piece) {
  QUINTET_TRY(const ReadFile model, read_file(file, {.format = format}));
  QUINTET_TRY(WrittenFile written, write_file(model, format, piece));
  return std::move(written.bytes);
}

void expect_same_model(const ReadFile& a, const ReadFile& b) {
  EXPECT_EQ(a.description.format, b.description.format);
  EXPECT_EQ(a.description.kind, b.description.kind);
  EXPECT_EQ(a.description.flags, b.description.flags);
  EXPECT_EQ(a.description.architecture, b.description.architecture);
  EXPECT_EQ(write_json(a.description.metadata), write_json(b.description.metadata));
  EXPECT_EQ(write_json(a.description.config), write_json(b.description.config));
  expect_same_tokenizer(a.description.tokenizer, b.description.tokenizer);
  ASSERT_EQ(a.description.tensors.size(), b.description.tensors.size());
  for (size_t i = 0; i < a.description.tensors.size(); ++i) {
    const TensorInfo& left = a.description.tensors[i];
    const TensorInfo& right = b.description.tensors[i];
    EXPECT_EQ(left.name, right.name);
    EXPECT_EQ(left.shape, right.shape);
    EXPECT_EQ(left.dtype, right.dtype);
    EXPECT_EQ(left.quantization, right.quantization);
  }
  EXPECT_EQ(a.data, b.data);
}

}  // namespace quintet::test
