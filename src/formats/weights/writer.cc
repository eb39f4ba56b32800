#include "formats/weights/writer.h"

#include <memory>
#include <utility>

#include "base/byte_writer.h"
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

// The reader's rules are the writer's: metadata that contradicts the tensors, or a vocabulary that does not fit them,
// shows before a byte is written.
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

}  // namespace

Result<Writer> Writer::create(ModelDescription description) {
  Writer writer(std::move(description));
  QUINTET_CHECK(writer.lay_out());
  return writer;
}

Status Writer::lay_out() {
  description_.format = Format::weights;
  description_.kind = "EMBD";
  description_.version_major = kVersionMajor;
  description_.version_minor = kVersionMinor;
  description_.flags = kTensorsAligned | kChecksumEnabled;
  if (description_.tokenizer.type == TokenizerType::wordpiece) description_.flags |= kVocabEmbedded;
  QUINTET_TRY(head_, write_head(description_));
  offset_ = head_.size();
  data_size_ = *description_.file_size - kFooterBytes - offset_;
  return check_readable(head_, *description_.file_size);
}

Status Writer::append(Bytes piece, std::vector<std::byte>& out) {
  while (tensor_ < description_.tensors.size() && written_ == description_.tensors[tensor_].bytes) {
    ++tensor_;
    written_ = 0;
  }
  if (piece.empty()) return {};
  if (tensor_ == description_.tensors.size() || piece.size() > description_.tensors[tensor_].bytes - written_) {
    return fail({.code = Code::internal, .reason = Reason::mismatch, .detail = "more tensor data than was announced"});
  }
  if (written_ == 0) {
    const std::vector<std::byte> padding(static_cast<size_t>(description_.tensors[tensor_].offset - offset_));
    count_and_put(padding, out);
  }
  count_and_put(piece, out);
  written_ += piece.size();
  return {};
}

Status Writer::finish(std::vector<std::byte>& out) {
  const uint64_t data_end = head_.size() + data_size_;
  if (offset_ != data_end) {
    return fail({.code = Code::internal, .reason = Reason::mismatch, .detail = "less tensor data than was announced"});
  }
  ByteWriter footer;
  footer.put(data_crc_.value());
  footer.put(crc32_combine(crc32(head_), data_crc_.value(), data_size_));
  footer.put_text(kEndMagic);
  footer.put(uint32_t{0});
  out.insert(out.end(), footer.bytes().begin(), footer.bytes().end());
  return {};
}

void Writer::count_and_put(Bytes bytes, std::vector<std::byte>& out) {
  data_crc_.update(bytes);
  out.insert(out.end(), bytes.begin(), bytes.end());
  offset_ += bytes.size();
}

}  // namespace quintet::weights
