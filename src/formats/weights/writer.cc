#include "formats/weights/writer.h"

#include <memory>
#include <utility>

#include "base/byte_writer.h"
#include "base/crc32.h"
#include "formats/model_sink.h"
#include "formats/weights/head_writer.h"
#include "formats/weights/layout.h"
#include "formats/weights/reader.h"

namespace quintet::weights {
namespace {

class HeadSink final : public ModelSink {
 public:
  Status begin(const ModelDescription&) override { return {}; }
  Result<std::unique_ptr<TensorSink>> tensor(const TensorInfo&, bool) override { return nullptr; }
  Status end(ModelDescription) override { return {}; }
};

// The reader's rules are the writer's: metadata that contradicts the tensors, or a vocabulary that
// does not fit them, shows before a byte is written.
Status check_readable(Bytes head, uint64_t file_size) {
  ByteStream in(file_size);
  HeadSink sink;
  Parse<void> parse = read(in, sink, {});
  parse.start();
  in.feed(head);
  if (!parse.done()) return {};  // it waits for the data
  Status status = parse.take();
  if (status) return {};
  Error error = std::move(status).error();
  error.code = Code::input;
  error.offset.reset();  // of a file that does not exist yet
  return fail(std::move(error));
}

class Writer final : public ModelWriter {
 public:
  Status begin(ModelDescription& description, std::vector<std::byte>& out) override {
    QUINTET_CHECK(check_types(description.tensors));
    description.format = Format::weights;
    description.kind = "EMBD";
    description.version_major = kVersionMajor;
    description.version_minor = kVersionMinor;
    description.flags = kTensorsAligned | kChecksumEnabled;
    if (description.tokenizer.type == TokenizerType::wordpiece) description.flags |= kVocabEmbedded;
    QUINTET_TRY(const std::vector<std::byte> head, write_head(description));
    QUINTET_CHECK(check_readable(head, *description.file_size));
    head_bytes_ = offset_ = head.size();
    head_crc_ = crc32(head);
    data_end_ = *description.file_size - kFooterBytes;
    tensors_ = description.tensors;
    out.insert(out.end(), head.begin(), head.end());
    return {};
  }

  Status begin_tensor(const TensorInfo&, std::vector<std::byte>& out) override {
    if (next_ == tensors_.size()) return unannounced();
    const TensorInfo& tensor = tensors_[next_++];
    const std::vector<std::byte> padding(static_cast<size_t>(tensor.offset - offset_));
    count_and_put(padding, out);
    return {};
  }

  Status write(Bytes piece, std::vector<std::byte>& out) override {
    if (next_ == 0 || piece.size() > tensors_[next_ - 1].offset + tensors_[next_ - 1].bytes - offset_) {
      return unannounced();
    }
    count_and_put(piece, out);
    return {};
  }

  Status finish(std::vector<std::byte>& out) override {
    if (offset_ != data_end_) return unannounced();
    ByteWriter footer;
    footer.put(data_crc_.value());
    footer.put(crc32_combine(head_crc_, data_crc_.value(), data_end_ - head_bytes_));
    footer.put_text(kEndMagic);
    footer.put(uint32_t{0});
    out.insert(out.end(), footer.bytes().begin(), footer.bytes().end());
    return {};
  }

 private:
  static Status check_types(const std::vector<TensorInfo>& tensors) {
    for (const TensorInfo& tensor : tensors) {
      if (tensor.quantized()) {
        return input_error(Reason::unknown_value,
                           "tensor \"" + tensor.name + "\" is quantized in a way that .weights has not");
      }
    }
    return {};
  }

  static std::unexpected<Error> unannounced() {
    return fail({.code = Code::internal, .reason = Reason::mismatch, .detail = "other tensor data than was announced"});
  }

  void count_and_put(Bytes bytes, std::vector<std::byte>& out) {
    data_crc_.update(bytes);
    out.insert(out.end(), bytes.begin(), bytes.end());
    offset_ += bytes.size();
  }

  std::vector<TensorInfo> tensors_;
  uint64_t head_bytes_ = 0;
  uint32_t head_crc_ = 0;
  uint64_t data_end_ = 0;
  size_t next_ = 0;      // the tensor that begins next
  uint64_t offset_ = 0;  // in the file
  Crc32 data_crc_;
};

}  // namespace

std::unique_ptr<ModelWriter> make_writer() { return std::make_unique<Writer>(); }

}  // namespace quintet::weights
