#include "formats/amb/tensor_record.h"

#include <string>

#include "base/byte_reader.h"
#include "base/checked.h"
#include "base/decimal.h"
#include "formats/amb/layout.h"
#include "tensor/block_types.h"
#include "tensor/codecs/amb.h"
#include "tensor/codecs/payload.h"

namespace quintet::amb {
namespace {

constexpr size_t kDimensionBytes = sizeof(uint32_t);
// After the data type.
constexpr size_t kQuantTypeAt = 1;
constexpr size_t kBlockAt = 2;
constexpr size_t kScaleTypeAt = 4;
constexpr Dtype kPlainTypes[] = {Dtype::f32, Dtype::f16, Dtype::bf16};

// Nothing for plain and for unknown data types.
std::optional<Scheme> scheme_of(uint8_t type) {
  for (size_t i = 0; i < kSchemes; ++i) {
    if (kBlockTypeColumn<&BlockType::amb>[i] == type) return static_cast<Scheme>(i);
  }
  return std::nullopt;
}

bool is_quantized(uint8_t type) { return scheme_of(type).has_value(); }

// The fields as stored.
struct Stored {
  std::vector<uint64_t> shape;
  uint8_t type = 0;
  uint8_t quant_type = 0;
  uint16_t block = 0;
  uint8_t scale_type = 0;

  uint64_t bytes() const { return fields_bytes(shape.size(), type); }
};

// Nothing if some are not available.
std::optional<Stored> parse(Bytes ahead, size_t dimensions) {
  Stored stored;
  const size_t type_at = dimensions * kDimensionBytes;
  if (ahead.size() <= type_at) return std::nullopt;
  for (size_t d = 0; d < dimensions; ++d) stored.shape.push_back(load_le<uint32_t>(ahead, d * kDimensionBytes));
  stored.type = load_le<uint8_t>(ahead, type_at);
  if (ahead.size() < stored.bytes()) return std::nullopt;
  if (!is_quantized(stored.type)) return stored;
  stored.quant_type = load_le<uint8_t>(ahead, type_at + kQuantTypeAt);
  stored.block = load_le<uint16_t>(ahead, type_at + kBlockAt);
  stored.scale_type = load_le<uint8_t>(ahead, type_at + kScaleTypeAt);
  return stored;
}

// The tensor that the fields describe; nothing if they are invalid.
std::optional<TensorInfo> tensor_of(const Stored& stored) {
  TensorInfo info;
  info.shape = stored.shape;
  if (const auto scheme = scheme_of(stored.type)) {
    if (stored.quant_type != stored.type || stored.scale_type > kScaleFp16) return std::nullopt;
    info.quantization.scheme = *scheme;
    info.quantization.block = stored.block;
    info.quantization.scale_dtype = stored.scale_type == kScaleFp16 ? Dtype::f16 : Dtype::f32;
  } else if (stored.type <= kBf16) {
    info.dtype = kPlainTypes[stored.type];
  } else {
    return std::nullopt;
  }
  const auto elements = checked_elements(stored.shape);
  const auto size = elements ? payload_size(info.dtype, info.quantization, *elements) : std::nullopt;
  if (!size) return std::nullopt;
  info.scales_bytes = size->scales;
  info.bytes = size->data;
  return info;
}

// Whether scales, data size and data fit into `room`, which starts with the scales.
bool has_room(const TensorInfo& info, uint64_t room) {
  const auto data_at = checked_add(info.scales_bytes, kDataSizeBytes);
  return data_at && fits(*data_at, info.bytes, room);
}

// Whether the stored data size after the fields, which must be available, matches the fields.
bool agrees(const Stored& stored, const RecordFields& record) {
  auto info = tensor_of(stored);
  if (!info || !has_room(*info, record.room - stored.bytes())) return false;
  const Bytes behind = record.ahead.subspan(static_cast<size_t>(stored.bytes()));
  if (behind.size() < info->scales_bytes + kDataSizeBytes) return false;
  const auto size = load_le<uint64_t>(behind, static_cast<size_t>(info->scales_bytes));
  if (info->quantization.scheme != Scheme::adaptive) return size == info->bytes;
  info->bytes = size;
  const Bytes data = behind.subspan(kDataSizeBytes);
  return data.size() >= mask_bytes(*info) && mask_fits(*info, data);
}

bool agrees_with_fewer_dimensions(const RecordFields& record) {
  for (size_t dimensions = record.dimensions; dimensions-- > 0;) {
    const auto stored = parse(record.ahead, dimensions);
    if (stored && agrees(*stored, record)) return true;
  }
  return false;
}

bool agrees_with_a_plain_type(Stored stored, const RecordFields& record) {
  for (stored.type = kFp32; stored.type <= kBf16; ++stored.type) {
    if (agrees(stored, record)) return true;
  }
  return false;
}

bool agrees_with_the_other_scale_type(Stored stored, const RecordFields& record) {
  stored.scale_type = stored.scale_type == kScaleFp16 ? kScaleFp32 : kScaleFp16;
  return agrees(stored, record);
}

bool agrees_with_a_usual_block(Stored stored, const RecordFields& record) {
  constexpr uint16_t kDefaultBlocks[] = {0, 16, 32, 64, 128, 256};
  for (const uint16_t block : kDefaultBlocks) {
    stored.block = block;
    if (agrees(stored, record)) return true;
  }
  return false;
}

// The one field that, with another value, would make all others agree. Nothing if there is none.
std::optional<uint64_t> odd_field(const Stored& stored, const RecordFields& record) {
  const uint64_t type_at = record.at + record.dimensions * kDimensionBytes;
  if (agrees_with_fewer_dimensions(record)) return record.at - 1;
  if (agrees_with_a_plain_type(stored, record)) return type_at;
  if (!is_quantized(stored.type)) return std::nullopt;
  if (agrees_with_the_other_scale_type(stored, record)) return type_at + kScaleTypeAt;
  if (agrees_with_a_usual_block(stored, record)) return type_at + kBlockAt;
  return std::nullopt;
}

// Whether the data contains whole rows of the shape: then the number of rows is more likely wrong.
bool holds_whole_rows(const TensorInfo& info, uint64_t stored) {
  if (info.elements() == 0) return true;
  return !info.quantized() && stored != 0 && !info.shape.empty() && stored % (info.bytes / info.shape[0]) == 0;
}

}  // namespace

uint64_t fields_bytes(size_t dimensions, uint8_t data_type) {
  return dimensions * kDimensionBytes + 1 + (is_quantized(data_type) ? kQuantizationBytes : 0);
}

uint64_t RecordFields::bytes() const {
  return fields_bytes(dimensions, load_le<uint8_t>(ahead, dimensions * kDimensionBytes));
}

std::optional<TensorInfo> read_fields(const RecordFields& record) {
  const Stored stored = *parse(record.ahead, record.dimensions);
  auto info = tensor_of(stored);
  if (!info || !has_room(*info, record.room - stored.bytes())) return std::nullopt;
  const uint64_t behind = record.at + stored.bytes();
  if (info->scales_bytes != 0) info->scales_offset = behind;
  info->offset = behind + info->scales_bytes + kDataSizeBytes;
  return info;
}

uint64_t mask_bytes(const TensorInfo& info) {
  constexpr uint64_t kCodesPerByte = 4;
  return (block_grid(info.quantization, info.elements()).blocks + kCodesPerByte - 1) / kCodesPerByte;
}

bool mask_fits(const TensorInfo& info, Bytes data) {
  const Bytes codes = data.first(static_cast<size_t>(mask_bytes(info)));
  return adaptive_data_bytes(info.quantization, info.elements(), codes) == info.bytes;
}

Failure wrong_fields(const RecordFields& record) {
  const Stored stored = *parse(record.ahead, record.dimensions);
  const uint64_t type_at = record.at + record.dimensions * kDimensionBytes;
  const auto odd = odd_field(stored, record);
  const auto type = write_natural(stored.type);
  if (stored.type > kBf16 && !is_quantized(stored.type))
    return unsupported_at(odd.value_or(type_at), "data type {}; supported are 0 (FP32) to 8 (ADAPTIVE)", type);
  if (is_quantized(stored.type) && stored.quant_type != stored.type) {
    return format_error(Reason::mismatch, odd.value_or(type_at + kQuantTypeAt), "quant type {} with data type {}",
                        stored.quant_type, type);
  }
  if (is_quantized(stored.type) && stored.scale_type > kScaleFp16) {
    return unsupported_at(type_at + kScaleTypeAt, "scale type {}; supported are 0 (FP32) and 1 (FP16)",
                          stored.scale_type);
  }
  return format_error(Reason::limit, odd.value_or(record.at),
                      "a shape with more values than fit in the remaining {} bytes", record.room);
}

Failure wrong_data_size(const RecordFields& record, const TensorInfo& info, uint64_t stored) {
  const auto odd = odd_field(*parse(record.ahead, record.dimensions), record);
  const bool shape_is_likelier = holds_whole_rows(info, stored) && stored <= record.room;
  const uint64_t likeliest = shape_is_likelier ? record.at : info.offset - kDataSizeBytes;
  return format_error(Reason::mismatch, odd.value_or(likeliest), "{} bytes of data, but shape and type need {}", stored,
                      info.bytes);
}

Failure wrong_mask(const RecordFields& record, const TensorInfo& info) {
  const auto odd = odd_field(*parse(record.ahead, record.dimensions), record);
  return format_error(Reason::mismatch, odd.value_or(info.offset), "the mask does not match the {} bytes of data",
                      info.bytes);
}

}  // namespace quintet::amb
