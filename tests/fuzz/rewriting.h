#pragma once
// The common part of the fuzzers of writers: a file that a reader accepts is written, and the result reads as the same
// model and is written as the same bytes.

#include <cstdlib>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "base/json.h"
#include "formats/model_files.h"

namespace quintet::fuzz {

// Keeps a model whole.
class Model final : public ModelSink {
 public:
  Status begin(const ModelDescription&) override { return {}; }
  Result<std::unique_ptr<ByteSink>> tensor(const TensorArrival&) override {
    return std::make_unique<Payload>(payloads.emplace_back());
  }
  Status end(ModelDescription read) override {
    description = std::move(read);
    return {};
  }

  ModelDescription description;
  std::deque<std::vector<std::byte>> payloads;  // in the order of the file

 private:
  class Payload final : public ByteSink {
   public:
    explicit Payload(std::vector<std::byte>& out) : out_(out) {}
    Status write(Bytes bytes) override {
      out_.insert(out_.end(), bytes.begin(), bytes.end());
      return {};
    }
    Status finish() override { return {}; }

   private:
    std::vector<std::byte>& out_;
  };
};

inline bool read(Bytes file, Format format, Model& model) {
  ByteStream in(file.size());
  Parse<void> parse = read_model(in, format, model, {.seekable = false, .verify_checksums = false});
  parse.start();
  if (!parse.done()) in.feed(file);
  if (!parse.done()) in.end();
  return parse.take().has_value();
}

inline std::vector<std::byte> written(const Model& model, Format format) {
  const std::unique_ptr<ModelWriter> writer = make_writer(format);
  ModelDescription description = model.description;
  std::vector<std::byte> out;
  if (!writer->begin(description, out)) std::abort();  // what was read can be written
  for (size_t i = 0; i < description.tensors.size(); ++i) {
    if (!writer->begin_tensor(description.tensors[i], out) || !writer->write(model.payloads[i], out)) std::abort();
  }
  if (!writer->finish(out) || description.file_size != out.size()) std::abort();
  return out;
}

// For formats that keep the tensors in the order given.
inline void check_rewriting(Bytes file, Format format) {
  Model first;
  if (!read(file, format, first)) return;
  const std::vector<std::byte> once = written(first, format);
  Model second;
  if (!read(once, format, second) || first.payloads != second.payloads) std::abort();
  if (write_json(first.description.metadata) != write_json(second.description.metadata)) std::abort();
  if (write_json(first.description.config) != write_json(second.description.config)) std::abort();
  if (once != written(second, format)) std::abort();
}

}  // namespace quintet::fuzz
