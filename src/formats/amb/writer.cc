#include "formats/amb/writer.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "base/byte_writer.h"
#include "base/checked.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/order.h"
#include "base/result.h"
#include "base/utf8.h"
#include "formats/amb/layout.h"
#include "formats/amb/tensor_record.h"
#include "formats/amb/tokenizer_config.h"
#include "formats/amb/tokenizer_section.h"
#include "formats/model_description.h"
#include "tensor/block_types.h"
#include "tensor/codecs/payload.h"

namespace quintet::amb {
namespace {

// Far larger than any file, so that sums of smaller numbers do not overflow.
constexpr uint64_t kMaxBytes = uint64_t{1} << 62;

std::optional<uint8_t> data_type_of(const TensorInfo& info) {
  if (info.quantized()) {
    const int type = block_type_field<&BlockType::amb>(info.quantization.scheme);
    return type == kNoNumber ? std::nullopt : std::optional(static_cast<uint8_t>(type));
  }
  switch (info.dtype) {
    case Dtype::f32:
      return kFp32;
    case Dtype::f16:
      return kFp16;
    case Dtype::bf16:
      return kBf16;
    default:
      return std::nullopt;
  }
}

Status check_config(const Json& config) {
  for (const std::string_view key : kRequiredConfig) {
    if (!config.find(key)) return input_error(Reason::missing, "the config has no \"{}\"", key);
  }
  return {};
}

Status check_name(const std::string& name) {
  if (name.empty() || name.size() > kMaxNameBytes) {
    return input_error(Reason::limit, "a tensor name of {} bytes, expected 1 to 65535", name.size());
  }
  if (find_invalid_utf8(name)) return input_error(Reason::invalid_utf8, "a tensor name that is not UTF-8");
  return {};
}

Status check_names_differ(const std::vector<TensorInfo>& tensors) {
  std::vector<std::string_view> names;
  names.reserve(tensors.size());
  for (const TensorInfo& info : tensors) names.push_back(info.name);
  const auto twice = find_duplicate(names);
  if (!twice) return {};
  return input_error(Reason::duplicate, "two tensors named \"{}\"", names[*twice]);
}

Status check_type(const TensorInfo& info) {
  if (!data_type_of(info)) {
    return input_error(Reason::unknown_value, "AMB has no type for {} in the way that this tensor is stored",
                       dtype_name(Format::amb, info));
  }
  const Quantization& quantization = info.quantization;
  if (!info.quantized()) return {};
  if (quantization.block > std::numeric_limits<uint16_t>::max()) {
    return input_error(Reason::limit, "blocks of {}, at most 65535 are supported", quantization.block);
  }
  if (quantization.scale_dtype == Dtype::f16 || quantization.scale_dtype == Dtype::f32) return {};
  return input_error(Reason::unknown_value, "scales must be FP32 or FP16");
}

Result<uint64_t> count_elements(const std::vector<uint64_t>& shape) {
  if (shape.size() > kMaxDimensions) {
    return input_error(Reason::limit, "{} dimensions, at most 255 are supported", shape.size());
  }
  for (const uint64_t dimension : shape) {
    if (dimension > std::numeric_limits<uint32_t>::max()) {
      return input_error(Reason::limit, "a dimension of {}, at most 4294967295 is supported", dimension);
    }
  }
  if (const auto elements = checked_elements(shape)) return *elements;
  return input_error(Reason::limit, "a shape whose product does not fit 64 bits");
}

// Sets the sizes of the payload.
Status measure(TensorInfo& info) {
  QUINTET_CHECK(check_name(info.name));
  QUINTET_CHECK(check_type(info));
  QUINTET_TRY(const uint64_t elements, count_elements(info.shape));
  const auto size = payload_size(info.dtype, info.quantization, elements);
  if (!size || size->data > kMaxBytes) return input_error(Reason::limit, "a tensor that is too large for a file");
  info.scales_bytes = size->scales;
  if (info.quantization.scheme != Scheme::adaptive) {
    info.bytes = size->data;
  } else if (info.bytes < size->data || info.bytes > kMaxBytes) {
    return input_error(Reason::out_of_range, "{} bytes for a tensor that takes at least {}", info.bytes, size->data);
  }
  return {};
}

// Sets the positions of the payload; returns the end of the record.
Result<uint64_t> place(TensorInfo& info, uint64_t record) {
  const uint64_t fields =
      sizeof(uint16_t) + info.name.size() + 1 + fields_bytes(info.shape.size(), *data_type_of(info));
  info.scales_offset = info.scales_bytes != 0 ? record + fields : 0;
  info.offset = record + fields + info.scales_bytes + kDataSizeBytes;
  const auto end = checked_add(info.offset, info.bytes);
  if (!end || *end > kMaxBytes) return input_error(Reason::limit, "the tensors are too large for a file");
  return align_up(*end, kAlignment);
}

// Returns the end of the weights, which start at `begin`.
Result<uint64_t> place_tensors(std::vector<TensorInfo>& tensors, uint64_t begin) {
  QUINTET_CHECK(check_names_differ(tensors));
  uint64_t end = begin;
  for (TensorInfo& info : tensors) {
    Status status = measure(info);
    if (!status) return in_tensor(failure_of(std::move(status)), info.name);
    QUINTET_TRY(end, place(info, end));
  }
  return end;
}

// Appends a section and sets its size in the header.
Status put_section(Bytes section, size_t size_at, ByteWriter& out) {
  if (section.size() > std::numeric_limits<uint32_t>::max()) {
    return input_error(Reason::limit, "a section of {} bytes, at most 4 GB are supported", section.size());
  }
  out.put_bytes(section);
  out.set(size_at, static_cast<uint32_t>(section.size()));
  return {};
}

// The header, metadata, config and tokenizer of the model. Fills in the positions and sizes of the tensors and the size
// of the file. Fails for what the format cannot store.
Result<std::vector<std::byte>> write_head(ModelDescription& description) {
  put_large_ids(description.tokenizer.special, description.config);
  QUINTET_CHECK(check_config(description.config));
  ByteWriter out;
  out.put_text(kMagic);
  out.put(kVersion);
  out.put(static_cast<uint16_t>(description.flags));
  out.put_zeros(kHeaderBytes - out.size());  // the sizes, set below
  QUINTET_CHECK(put_section(as_bytes(write_json(description.metadata)), header_at::kMetadataSize, out));
  QUINTET_CHECK(put_section(as_bytes(write_json(description.config)), header_at::kConfigSize, out));
  QUINTET_TRY(const std::vector<std::byte> tokenizer, write_tokenizer(description.tokenizer));
  QUINTET_CHECK(put_section(tokenizer, header_at::kTokenizerSize, out));
  description.tokenizer.stored_bytes = tokenizer.size();
  QUINTET_TRY(const uint64_t weights_end, place_tensors(description.tensors, out.size()));
  out.set(header_at::kWeightsSize, weights_end - out.size());
  description.file_size = weights_end + ((description.flags & kHasChecksum) != 0 ? kChecksumBytes : 0);
  return out.take();
}

// A tensor's record up to its scales or, if there are none, its data size. For tensors that write_head() accepted.
void put_fields(const TensorInfo& info, ByteWriter& out) {
  out.put(static_cast<uint16_t>(info.name.size()));
  out.put_text(info.name);
  out.put(static_cast<uint8_t>(info.shape.size()));
  for (const uint64_t dimension : info.shape) out.put(static_cast<uint32_t>(dimension));
  const uint8_t type = *data_type_of(info);
  out.put(type);
  if (!info.quantized()) return;
  out.put(type);  // the quant type
  out.put(static_cast<uint16_t>(info.quantization.block));
  out.put(static_cast<uint8_t>(info.quantization.scale_dtype == Dtype::f16 ? kScaleFp16 : kScaleFp32));
}

class Writer final : public OrderedWriter {
 public:
  Status begin(ModelDescription& description, std::vector<std::byte>& out) override {
    description.format = Format::amb;
    description.kind = "AMB";
    description.version_major = kVersion;
    description.version_minor = 0;
    description.flags &= kHasChecksum;  // the flags of other formats do not apply
    auto head = write_head(description);
    if (!head) return in_format(failure_of(std::move(head)), name_of(Format::amb));
    has_checksum_ = description.flags != 0;
    expect(description.tensors);
    put(*head, out);
    return {};
  }

 private:
  Status put_head(const TensorInfo& placed, const TensorInfo&, std::vector<std::byte>& out) override {
    scales_left_ = placed.scales_bytes;
    data_bytes_ = placed.bytes;
    ByteWriter fields;
    put_fields(placed, fields);
    if (scales_left_ == 0) fields.put(data_bytes_);
    put(fields.bytes(), out);
    return {};
  }

  // The data size is between the scales and the data.
  void put_payload(Bytes piece, std::vector<std::byte>& out) override {
    const Bytes scales = piece.first(static_cast<size_t>(std::min<uint64_t>(piece.size(), scales_left_)));
    put(scales, out);
    scales_left_ -= scales.size();
    if (!scales.empty() && scales_left_ == 0) {
      ByteWriter size;
      size.put(data_bytes_);
      put(size.bytes(), out);
    }
    put(piece.subspan(scales.size()), out);
  }

  void put_tail(std::vector<std::byte>& out) override {
    const std::vector<std::byte> padding(static_cast<size_t>(align_up(offset_, kAlignment) - offset_));
    put(padding, out);
  }

  Status put_end(std::vector<std::byte>& out) override {
    if (!has_checksum_) return {};
    ByteWriter checksum;
    checksum.put(crc_.value());
    put(checksum.bytes(), out);
    return {};
  }

  void put(Bytes bytes, std::vector<std::byte>& out) {
    if (has_checksum_) crc_.update(bytes);
    out.insert(out.end(), bytes.begin(), bytes.end());
    offset_ += bytes.size();
  }

  bool has_checksum_ = false;
  uint64_t scales_left_ = 0;  // of the current tensor
  uint64_t data_bytes_ = 0;
  uint64_t offset_ = 0;  // in the file
  Crc32 crc_;
};

}  // namespace

std::unique_ptr<ModelWriter> make_writer() { return std::make_unique<Writer>(); }

}  // namespace quintet::amb
