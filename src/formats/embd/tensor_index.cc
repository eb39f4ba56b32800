#include "formats/embd/tensor_index.h"

#include <algorithm>

#include "base/byte_reader.h"
#include "base/checked.h"
#include "base/hash.h"
#include "base/order.h"
#include "base/utf8.h"
#include "formats/embd/layout.h"

namespace quintet::embd {
namespace {

Bytes descriptor(Bytes descriptors, size_t tensor) {
  return descriptors.subspan(tensor * kDescriptorBytes, kDescriptorBytes);
}

Status check_unused_dimensions(Bytes record, uint64_t at, uint8_t dimensions) {
  // A scalar with dimensions is more likely a matrix with a wrong number of dimensions.
  const uint64_t blame = dimensions == 0 ? at + descriptor_at::kDimensions : 0;
  for (size_t d = dimensions; d < kMaxDimensions; ++d) {
    const size_t field = descriptor_at::kShape + d * sizeof(uint32_t);
    if (load_le<uint32_t>(record, field) == 0) continue;
    return format_error(Reason::malformed, blame != 0 ? blame : at + field, "an unused dimension is not 0");
  }
  return {};
}

Result<TensorInfo> read_descriptor(Bytes record, uint64_t at, size_t tensor) {
  const auto dtype = load_le<uint8_t>(record, descriptor_at::kDtype);
  const auto dimensions = load_le<uint8_t>(record, descriptor_at::kDimensions);
  const bool known_rank = dimensions <= kMaxDimensions;
  if (dtype >= kDtypeCodes && !known_rank && tensor != 0) {
    return format_error(Reason::limit, header_at::kTensorIndexCount,
                        "the bytes of descriptor {} are not a tensor: the number of tensors is wrong", tensor);
  }
  if (dtype >= kDtypeCodes) {
    return unsupported_at(at + descriptor_at::kDtype, "data type {}; supported are 0 (F32) to 8 (U8)", dtype);
  }
  if (!known_rank) {
    return format_error(Reason::malformed, at + descriptor_at::kDimensions, "{} dimensions, at most 4 are supported",
                        dimensions);
  }
  QUINTET_CHECK(check_unused_dimensions(record, at, dimensions));
  TensorInfo info;
  info.dtype = static_cast<Dtype>(dtype);
  for (size_t d = 0; d < dimensions; ++d) {
    info.shape.push_back(load_le<uint32_t>(record, descriptor_at::kShape + d * sizeof(uint32_t)));
  }
  info.offset = load_le<uint64_t>(record, descriptor_at::kDataOffset);
  return info;
}

// Checks that there is room for the names up to that of a tensor before the data starts.
Status check_name_length(const Header& header, uint64_t at, uint16_t length, uint64_t names_end) {
  if (length == 0) {
    return format_error(Reason::malformed, at + descriptor_at::kNameLength, "a tensor without a name");
  }
  if (names_end <= header.tensor_data_offset) return {};
  return format_error(Reason::limit,
                      header.data_meets_footer() ? at + descriptor_at::kNameLength : header_at::kTensorDataOffset,
                      "the names of the tensors overlap their data");
}

Status check_hashes(Bytes descriptors, const Header& header, const std::vector<TensorInfo>& tensors) {
  size_t wrong = 0;
  size_t first = 0;
  for (size_t i = tensors.size(); i-- > 0;) {
    const auto stored = load_le<uint32_t>(descriptor(descriptors, i), descriptor_at::kNameHash);
    if (stored == fnv1a_32(tensors[i].name)) continue;
    ++wrong;
    first = i;
  }
  if (wrong == 0) return {};
  if (wrong == tensors.size() && wrong > 1) {
    return format_error(Reason::mismatch, header_at::kTensorIndexCount,
                        "no name matches its hash: the number of tensors is wrong");
  }
  return format_error(Reason::checksum, descriptor_offset(header, first) + descriptor_at::kNameHash,
                      "the hash of tensor {} does not match its name", first);
}

Status check_utf8(const Header& header, const std::vector<TensorInfo>& tensors) {
  uint64_t at = descriptor_offset(header, tensors.size());
  for (const TensorInfo& info : tensors) {
    if (const auto bad = find_invalid_utf8(info.name)) {
      return format_error(Reason::invalid_utf8, at + *bad, "a tensor's name that is not UTF-8");
    }
    at += info.name.size();
  }
  return {};
}

Status check_unique(const Header& header, const std::vector<TensorInfo>& tensors) {
  std::vector<std::string_view> names;
  names.reserve(tensors.size());
  for (const TensorInfo& info : tensors) names.push_back(info.name);
  const std::optional<size_t> twice = find_duplicate(names);
  if (!twice) return {};
  return entry_error(Code::format, Reason::duplicate, descriptor_offset(header, *twice), tensors[*twice].name,
                     "two tensors with the same name");
}

Failure misplaced(const TensorInfo& info, Reason reason, uint64_t at, std::string detail) {
  return entry_error(Code::format, reason, at, info.name, "{}", detail);
}

Status place_tensor(const Header& header, TensorInfo& info, uint64_t at) {
  const std::optional<uint64_t> elements = checked_elements(info.shape);
  const auto bytes = elements ? bytes_of(info.dtype, *elements) : std::nullopt;
  if (!bytes || *bytes > header.tensor_data_size) {
    return misplaced(info, Reason::limit, at + descriptor_at::kShape, "a shape larger than the tensor data");
  }
  if (!fits(info.offset, *bytes, header.tensor_data_size)) {
    return misplaced(info, Reason::limit, at + descriptor_at::kDataOffset,
                     formatted("{} bytes at {} extend beyond the tensor data", *bytes, info.offset));
  }
  info.bytes = *bytes;
  info.offset += header.tensor_data_offset;
  if (header.has(kTensorsAligned) && *bytes != 0 && info.offset % kTensorAlignment != 0) {
    return misplaced(info, Reason::malformed, at + descriptor_at::kDataOffset,
                     formatted("data at byte {} is not aligned to 64", info.offset));
  }
  return {};
}

// Decides which of two overlapping tensors is misplaced: the one that does not start where its predecessor ends.
Status check_overlaps(const Header& header, const std::vector<TensorInfo>& tensors) {
  uint64_t end = header.tensor_data_offset;
  bool displaced = false;  // the previous tensor does not directly follow its own predecessor
  uint32_t before = 0;
  for (const uint32_t i : data_order(tensors)) {
    const TensorInfo& info = tensors[i];
    if (info.offset < end) {
      const uint32_t culprit = displaced ? before : i;
      return misplaced(tensors[culprit], Reason::malformed,
                       descriptor_offset(header, culprit) + descriptor_at::kDataOffset,
                       "the data of two tensors overlaps");
    }
    displaced = info.offset >= align_up(end, kTensorAlignment) + kTensorAlignment;
    end = info.offset + info.bytes;
    before = i;
  }
  return {};
}

Failure blame(const Header& header, const std::vector<TensorInfo>& tensors, const TensorInfo& info, size_t field,
              Reason reason, std::string detail) {
  const auto tensor = static_cast<size_t>(&info - tensors.data());
  return entry_error(Code::format, reason, descriptor_offset(header, tensor) + field, info.name, "{}", detail);
}

bool fit(const TensorInfo& matrix, const TensorInfo& scale) {
  if (scale.dtype != Dtype::f32 || scale.shape.empty() || scale.shape[0] != matrix.shape[0]) return false;
  if (scale.shape.size() == 1) return true;
  return scale.shape.size() == 2 && scale.shape[1] != 0 && matrix.shape[1] % scale.shape[1] == 0;
}

// Whether a scale of this shape matches `quantization` in the metadata.
bool announced(std::string_view quantization, const TensorInfo& matrix, const TensorInfo& scale) {
  if (scale.shape.size() == 1) return quantization == "int8-row";
  return quantization == formatted("int8-group-{}", scale_group(matrix, scale));
}

}  // namespace

uint64_t descriptor_offset(const Header& header, size_t tensor) {
  return header.tensor_index_offset + tensor * kDescriptorBytes;
}

Result<uint64_t> descriptors_bytes(const Header& header) {
  if (header.tensor_data_offset <= header.tensor_index_offset) {
    return format_error(Reason::malformed, header_at::kTensorDataOffset, "the tensor data precedes its index");
  }
  const uint64_t bytes = header.tensor_index_count * kDescriptorBytes;
  if (bytes > header.tensor_data_offset - header.tensor_index_offset) {
    return format_error(Reason::limit, header_at::kTensorIndexCount, "{} descriptors overlap the tensor data",
                        header.tensor_index_count);
  }
  return bytes;
}

Result<TensorIndex> read_descriptors(Bytes descriptors, const Header& header) {
  TensorIndex index;
  for (size_t i = 0; i < header.tensor_index_count; ++i) {
    QUINTET_TRY(TensorInfo info, read_descriptor(descriptor(descriptors, i), descriptor_offset(header, i), i));
    index.tensors.push_back(std::move(info));
  }
  // Only now: with a wrong number of tensors, the names are not where they seem to be.
  for (size_t i = 0; i < header.tensor_index_count; ++i) {
    const auto length = load_le<uint16_t>(descriptor(descriptors, i), descriptor_at::kNameLength);
    index.names_bytes += length;
    const uint64_t names_end = header.tensor_index_offset + descriptors.size() + index.names_bytes;
    QUINTET_CHECK(check_name_length(header, descriptor_offset(header, i), length, names_end));
  }
  return index;
}

Status read_names(Bytes names, Bytes descriptors, const Header& header, TensorIndex& index) {
  ByteReader in(names, header.tensor_index_offset + descriptors.size());
  for (size_t i = 0; i < index.tensors.size(); ++i) {
    const auto length = load_le<uint16_t>(descriptor(descriptors, i), descriptor_at::kNameLength);
    QUINTET_TRY(const Bytes name, in.bytes(length));
    index.tensors[i].name = as_text(name);
  }
  QUINTET_CHECK(check_hashes(descriptors, header, index.tensors));
  QUINTET_CHECK(check_utf8(header, index.tensors));
  return check_unique(header, index.tensors);
}

Status place_tensors(const Header& header, std::vector<TensorInfo>& tensors) {
  for (size_t i = 0; i < tensors.size(); ++i) {
    QUINTET_CHECK(place_tensor(header, tensors[i], descriptor_offset(header, i)));
  }
  return check_overlaps(header, tensors);
}

std::vector<uint32_t> data_order(const std::vector<TensorInfo>& tensors) {
  std::vector<uint32_t> order(tensors.size());
  for (uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  // A tensor without data comes before the one whose data starts at the same position.
  heap_sort(order, {},
            [&](uint32_t i) { return std::pair(tensors[i].offset, uint64_t{tensors[i].bytes != 0} << 32 | i); });
  return order;
}

std::string scale_name(std::string_view matrix) { return formatted("{}{}", matrix, kScaleSuffix); }

const TensorInfo* find_scale(const TensorLookup& tensors, const TensorInfo& info) {
  return info.dtype == Dtype::i8 && info.shape.size() == 2 ? tensors.find(scale_name(info.name)) : nullptr;
}

uint64_t scale_group(const TensorInfo& matrix, const TensorInfo& scale) {
  return scale.shape.size() == 1 ? matrix.shape[1] : matrix.shape[1] / scale.shape[1];
}

Status check_scales(const Header& header, const Metadata& metadata, const std::vector<TensorInfo>& tensors) {
  const MetadataEntry* quantization = find(metadata, kQuantizationKey);
  const TensorLookup lookup(tensors);
  for (const TensorInfo& matrix : tensors) {
    const TensorInfo* scale = find_scale(lookup, matrix);
    if (!scale) continue;
    if (!fit(matrix, *scale)) {
      return blame(header, tensors, *scale, descriptor_at::kShape, Reason::mismatch,
                   "the scales do not match their matrix");
    }
    if (quantization && !announced(quantization->value, matrix, *scale)) {
      return format_error(Reason::mismatch, quantization->value_offset,
                          "quantization is \"{}\", the scales of {} are of a different kind",
                          quantization->value.substr(0, 32), matrix.name);
    }
  }
  return {};
}

}  // namespace quintet::embd
