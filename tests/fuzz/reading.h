#pragma once
// The common part of the reader fuzzers: a file read whole and in pieces must be the same file, or fail in the same
// way.

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "base/hash.h"
#include "base/json.h"
#include "formats/model_files.h"

namespace quintet::fuzz {

// All that a reader reports about a file, in a form that can be compared.
class Digest final : public ModelSink {
 public:
  Status begin(const ModelDescription& description) override {
    text += "begin " + std::to_string(description.tensors.size());
    return {};
  }
  Result<std::unique_ptr<ByteSink>> tensor(const TensorArrival& tensor) override {
    const TensorInfo& info = tensor.info;
    text += "\n" + info.name + " " + std::string(name_of(info.dtype)) + " " + std::to_string(info.offset) + " " +
            std::to_string(static_cast<int>(info.quantization.scheme)) + " ";
    if (info.elements() == 0 && info.bytes != 0) std::abort();
    return std::make_unique<Data>(text, info.payload_bytes());
  }
  Status end(ModelDescription description) override {
    text += "\n" + write_json(description.metadata) + write_json(description.config);
    for (size_t id = 0; id < description.tokenizer.tokens.size(); ++id) {
      text += "\n" + std::string(description.tokenizer.tokens[id]);
    }
    return {};
  }
  void note(const Status& status) {
    if (status) return;
    const Error& error = status.error();
    if (!error.offset || error.format.empty() || error.detail.empty()) std::abort();
    text += "\nerror " + std::to_string(static_cast<int>(error.reason)) + " at " + std::to_string(*error.offset) + " " +
            error.detail + " " + error.tensor;
  }

  std::string text;

 private:
  class Data final : public ByteSink {
   public:
    Data(std::string& out, uint64_t expected) : out_(out), missing_(expected) {}
    Status write(Bytes bytes) override {
      if (bytes.size() > missing_) std::abort();
      missing_ -= bytes.size();
      crc_.update(bytes);
      return {};
    }
    Status finish() override {
      if (missing_ != 0) std::abort();
      out_ += std::to_string(crc_.value());
      return {};
    }

   private:
    std::string& out_;
    uint64_t missing_;
    Crc32 crc_;
  };
};

// Reads `file`; `next_piece` gives the size of each piece.
template <class NextPiece>
std::string digest(Bytes file, Format format, bool length_known, bool verify_checksums, NextPiece next_piece) {
  Digest sink;
  ByteStream in(length_known ? std::optional<uint64_t>(file.size()) : std::nullopt);
  Parse<void> parse = read_model(in, format, sink, {.seekable = false, .verify_checksums = verify_checksums});
  parse.start();
  for (size_t at = 0; !parse.done() && at < file.size();) {
    const Bytes rest = file.subspan(at);
    const std::vector<std::byte> piece(rest.begin(),
                                       rest.begin() + static_cast<std::ptrdiff_t>(std::min(next_piece(), rest.size())));
    at += piece.size();
    in.feed(piece);
  }
  if (!parse.done()) in.end();
  if (!parse.done()) std::abort();
  const Status status = parse.take();
  if (!status && *status.error().offset > file.size() && status.error().reason == Reason::truncated) std::abort();
  sink.note(status);
  return sink.text;
}

inline void check_file(Bytes file, Format format) {
  for (const bool known : {true, false}) {
    const std::string whole = digest(file, format, known, false, [] { return SIZE_MAX; });
    const std::string by_byte = digest(file, format, known, false, [] { return size_t{1}; });
    uint32_t random = static_cast<uint32_t>(file.size());
    const std::string pieces = digest(file, format, known, false, [&random] {
      random = random * 1664525 + 1013904223;
      return size_t{1} + (random >> 24);
    });
    if (whole != by_byte || whole != pieces) std::abort();
    digest(file, format, known, true, [] { return SIZE_MAX; });
  }
}

}  // namespace quintet::fuzz
