#include "formats/embd/writer.h"

#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "base/byte_reader.h"
#include "base/byte_writer.h"
#include "base/checked.h"
#include "base/hash.h"
#include "base/result.h"
#include "formats/embd/layout.h"
#include "formats/embd/metadata_section.h"
#include "formats/embd/reader.h"
#include "formats/model_description.h"
#include "formats/model_sink.h"

namespace quintet::embd {
namespace {

Failure no_room(std::string detail) {
  return in_format(input_error(Reason::limit, "{}", detail), name_of(Format::embd));
}

Result<uint16_t> length16(std::string_view what, std::string_view text) {
  if (text.size() <= std::numeric_limits<uint16_t>::max()) return static_cast<uint16_t>(text.size());
  return no_room(formatted("{} of {} bytes, at most 65535 are supported", what, text.size()));
}

Result<uint32_t> offset32(std::string_view what, uint64_t offset) {
  if (offset <= std::numeric_limits<uint32_t>::max()) return static_cast<uint32_t>(offset);
  return no_room(formatted("{} beyond 4 GB", what));
}

Status put_metadata(const Json& metadata, ByteWriter& out) {
  for (const std::string_view key : kRequiredKeys) {
    if (!metadata.find(key)) return input_error(Reason::missing, "metadata \"{}\" is missing", key);
  }
  const size_t begin = out.size();
  out.put(static_cast<uint32_t>(metadata.as_object()->size()));
  out.put(uint32_t{0});  // the size, set below
  for (const Json::Member& member : *metadata.as_object()) {
    const std::string* value = member.value.as_string();
    if (!value) return input_error(Reason::malformed, "metadata \"{}\" is not a string", member.name);
    QUINTET_TRY(const uint16_t key_length, length16("a metadata key", member.name));
    QUINTET_TRY(const uint16_t value_length, length16("a metadata value", *value));
    out.put(key_length);
    out.put(value_length);
    out.put_text(member.name);
    out.put_text(*value);
  }
  out.set(begin + 4, static_cast<uint32_t>(out.size() - begin - kMetadataHeaderBytes));
  return {};
}

Status put_special_ids(const TokenizerDescription& tokenizer, ByteWriter& out) {
  const SpecialIds& ids = tokenizer.special;
  for (const auto& id : {ids.pad, ids.unk, ids.cls, ids.sep, ids.mask}) {
    if (!id || *id >= tokenizer.tokens.size()) {
      return input_error(Reason::missing, "the vocabulary must have [PAD], [UNK], [CLS], [SEP] and [MASK]");
    }
    out.put(*id);
  }
  return {};
}

Status put_vocabulary(const TokenizerDescription& tokenizer, ByteWriter& out) {
  const size_t begin = out.size();
  out.put(static_cast<uint32_t>(tokenizer.tokens.size()));
  out.put(uint64_t{0});  // sizes and places, set below
  for (size_t id = 0; id < tokenizer.tokens.size(); ++id) {
    QUINTET_TRY(const uint16_t length, length16("a token", tokenizer.tokens[id]));
    out.put(length);
    out.put_text(tokenizer.tokens[id]);
  }
  QUINTET_TRY(const uint32_t special, offset32("special token ids", out.size()));
  out.set(begin + 4, static_cast<uint32_t>(out.size() - begin - kVocabularyHeaderBytes));
  out.set(begin + 8, special);
  return put_special_ids(tokenizer, out);
}

// Sets size and position of a tensor that starts at `offset` in the data, and appends its descriptor.
Status put_descriptor(TensorInfo& info, uint64_t offset, ByteWriter& out) {
  if (info.name.empty()) return no_room("a tensor without a name");
  QUINTET_TRY(const uint16_t name_length, length16("a tensor name", info.name));
  if (info.shape.size() > kMaxDimensions || weights_name_of(info.dtype).empty()) {
    return no_room(
        formatted("tensor {} of type {} with {} dimensions", info.name, name_of(info.dtype), info.shape.size()));
  }
  out.put(fnv1a_32(info.name));
  out.put(static_cast<uint8_t>(info.dtype));
  out.put(static_cast<uint8_t>(info.shape.size()));
  out.put(name_length);
  for (size_t d = 0; d < kMaxDimensions; ++d) {
    const uint64_t dimension = d < info.shape.size() ? info.shape[d] : 0;
    if (dimension > std::numeric_limits<uint32_t>::max()) {
      return no_room(formatted("a dimension of {} in tensor {}", dimension, info.name));
    }
    out.put(static_cast<uint32_t>(dimension));
  }
  out.put(offset);
  const std::optional<uint64_t> elements = checked_elements(info.shape);
  const auto bytes = elements ? bytes_of(info.dtype, *elements) : std::nullopt;
  if (!bytes || *bytes > uint64_t{1} << 62 || offset > uint64_t{1} << 62) return no_room("tensor " + info.name);
  info.bytes = *bytes;
  info.offset = offset;
  return {};
}

// Returns the size of the tensor data. Offsets stay relative to it.
Result<uint64_t> put_tensor_index(std::vector<TensorInfo>& tensors, ByteWriter& out) {
  uint64_t end = 0;
  for (TensorInfo& info : tensors) {
    QUINTET_CHECK(put_descriptor(info, align_up(end, kTensorAlignment), out));
    end = info.offset + info.bytes;
  }
  for (const TensorInfo& info : tensors) out.put_text(info.name);
  return end;
}

// The bytes before the tensor data, including padding. Sets the sizes and positions of the tensors and the size of the
// file. The flags are those of the description. Fails for what the format cannot store.
Result<std::vector<std::byte>> write_head(ModelDescription& description) {
  namespace at = header_at;
  ByteWriter out;
  out.put_zeros(kHeaderBytes);
  out.set(at::kMetadataOffset, static_cast<uint32_t>(out.size()));
  QUINTET_CHECK(put_metadata(description.metadata, out));
  QUINTET_TRY(const uint32_t vocabulary, offset32("the vocabulary", out.size()));
  if (description.tokenizer.wordpiece()) QUINTET_CHECK(put_vocabulary(description.tokenizer, out));
  QUINTET_TRY(const uint32_t index, offset32("the tensor index", out.size()));
  QUINTET_TRY(const uint64_t data_size, put_tensor_index(description.tensors, out));
  out.put_zeros(static_cast<size_t>(align_up(out.size(), kTensorAlignment) - out.size()));
  QUINTET_TRY(const uint32_t data, offset32("the tensor data", out.size()));
  description.file_size = data + data_size + kFooterBytes;
  for (TensorInfo& info : description.tensors) info.offset += data;

  out.set(at::kMagic, load_le<uint32_t>(as_bytes(kMagic), 0));
  out.set(at::kVersionMajor, description.version_major);
  out.set(at::kVersionMinor, description.version_minor);
  out.set(at::kFlags, description.flags);
  out.set(at::kMetadataSize, static_cast<uint32_t>(vocabulary - kHeaderBytes));
  out.set(at::kVocabOffset, vocabulary);
  out.set(at::kVocabSize, index - vocabulary);
  out.set(at::kTensorIndexOffset, index);
  out.set(at::kTensorIndexCount, static_cast<uint32_t>(description.tensors.size()));
  out.set(at::kTensorDataOffset, data);
  out.set(at::kTensorDataSize, data_size);
  out.set(at::kTotalFileSize, *description.file_size);
  out.set(at::kHeaderChecksum, crc32(out.bytes().first(at::kHeaderChecksum)));
  return out.take();
}

class HeadSink final : public ModelSink {
 public:
  Status begin(const ModelDescription&) override { return {}; }
  Result<std::unique_ptr<ByteSink>> tensor(const TensorArrival&) override { return nullptr; }
  Status end(ModelDescription) override { return {}; }
};

// The writer checks the rules of the reader: metadata that contradict the tensors, or a vocabulary that does not match
// them, are an error before anything is written.
Status check_readable(Bytes head, uint64_t file_size) {
  ByteStream in(file_size);
  HeadSink sink;
  Parse<void> parse = read(in, sink, {});
  parse.start();
  in.feed(head);
  if (!parse.done()) return {};  // it waits for the data
  Status status = parse.take();
  if (status) return {};
  status.error().code = Code::input;
  status.error().offset.reset();  // there is no file yet
  return status;
}

class Writer final : public OrderedWriter {
 public:
  Status begin(ModelDescription& description, std::vector<std::byte>& out) override {
    QUINTET_CHECK(check_types(description.tensors));
    description.format = Format::embd;
    description.kind = "EMBD";
    description.version_major = kVersionMajor;
    description.version_minor = kVersionMinor;
    description.flags = kTensorsAligned | kChecksumEnabled;
    if (description.tokenizer.wordpiece()) description.flags |= kVocabEmbedded;
    QUINTET_TRY(const std::vector<std::byte> head, write_head(description));
    QUINTET_CHECK(check_readable(head, *description.file_size));
    head_bytes_ = offset_ = head.size();
    head_crc_ = crc32(head);
    data_end_ = *description.file_size - kFooterBytes;
    expect(description.tensors);
    out.insert(out.end(), head.begin(), head.end());
    return {};
  }

 private:
  Status put_head(const TensorInfo& placed, const TensorInfo&, std::vector<std::byte>& out) override {
    const std::vector<std::byte> padding(static_cast<size_t>(placed.offset - offset_));
    put_payload(padding, out);
    return {};
  }

  void put_payload(Bytes piece, std::vector<std::byte>& out) override {
    data_crc_.update(piece);
    out.insert(out.end(), piece.begin(), piece.end());
    offset_ += piece.size();
  }

  Status put_end(std::vector<std::byte>& out) override {
    if (offset_ != data_end_) return unannounced();
    ByteWriter footer;
    footer.put(data_crc_.value());
    footer.put(crc32_combine(head_crc_, data_crc_.value(), data_end_ - head_bytes_));
    footer.put_text(kEndMagic);
    footer.put(uint32_t{0});
    out.insert(out.end(), footer.bytes().begin(), footer.bytes().end());
    return {};
  }

  static Status check_types(const std::vector<TensorInfo>& tensors) {
    for (const TensorInfo& tensor : tensors) {
      if (tensor.quantized()) {
        return input_error(Reason::unknown_value, "tensor \"{}\" is quantized in a way that .weights does not support",
                           tensor.name);
      }
    }
    return {};
  }

  uint64_t head_bytes_ = 0;
  uint32_t head_crc_ = 0;
  uint64_t data_end_ = 0;
  uint64_t offset_ = 0;  // in the file
  Crc32 data_crc_;
};

}  // namespace

std::unique_ptr<ModelWriter> make_writer() { return std::make_unique<Writer>(); }

}  // namespace quintet::embd
