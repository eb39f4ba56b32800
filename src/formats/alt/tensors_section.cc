#include "formats/alt/tensors_section.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/byte_reader.h"
#include "base/bytes.h"
#include "base/checked.h"
#include "base/flag_list.h"
#include "base/order.h"
#include "base/result.h"
#include "formats/alt/section.h"
#include "formats/alt/tensor_record.h"
#include "formats/model_description.h"
#include "formats/model_sink.h"

namespace quintet::alt {
namespace {

// The four numbers at the start of the section, which repeat what the records contain.
struct TensorCounts {
  int64_t tensors = 0;
  int64_t dimensions = 0;  // of all shapes in total
  int32_t blocks = 0;
  int32_t unique = 0;  // tensors outside of blocks

  bool operator==(const TensorCounts&) const = default;
};

// Their positions after the section's header.
namespace counts_at {
constexpr size_t kTensors = 0, kDimensions = 8, kBlocks = 16, kUnique = 20, kBytes = 24;
}

// The number of blocks, if `blocks`, one number per tensor, are numbered from 0 without gaps.
std::optional<int32_t> count_blocks(const std::vector<int32_t>& blocks) {
  FlagList seen(blocks.size());
  for (const int32_t block : blocks) {
    if (static_cast<size_t>(block) >= seen.size()) return std::nullopt;  // more blocks than tensors
    seen[static_cast<size_t>(block)] = true;
  }
  const auto end = std::ranges::find(seen, false);
  if (std::find(end, seen.end(), true) != seen.end()) return std::nullopt;
  return static_cast<int32_t>(end - seen.begin());
}

TensorCounts read_counts(Bytes bytes) {
  return {.tensors = load_le<int64_t>(bytes, counts_at::kTensors),
          .dimensions = load_le<int64_t>(bytes, counts_at::kDimensions),
          .blocks = load_le<int32_t>(bytes, counts_at::kBlocks),
          .unique = load_le<int32_t>(bytes, counts_at::kUnique)};
}

// The counts for existing tensors, whose names the format can express. Blocks must be numbered from 0 without gaps.
Result<TensorCounts> count_tensors(std::span<const TensorInfo> tensors) {
  TensorCounts counts{.tensors = static_cast<int64_t>(tensors.size())};
  std::vector<int32_t> blocks;
  for (const TensorInfo& info : tensors) {
    counts.dimensions += static_cast<int64_t>(info.shape.size());
    const int32_t block = place_of(info.name)->block;
    if (block >= 0) blocks.push_back(block);
  }
  counts.unique = static_cast<int32_t>(tensors.size() - blocks.size());
  const auto block_count = count_blocks(blocks);
  if (!block_count) {
    return input_error(Reason::missing, "the blocks of the tensors must be numbered from 0 without gaps");
  }
  counts.blocks = *block_count;
  return counts;
}

// The error, with its offset, if the section with its fields at `fields_at` contains other numbers than the actual
// ones.
Status check_counts(const TensorCounts& said, const TensorCounts& real, uint64_t fields_at) {
  const auto contradiction = [&](size_t place, std::string_view what, int64_t said_number, int64_t real_number) {
    return format_error(Reason::mismatch, fields_at + place, "{} is {}, but there are {}", what, said_number,
                        real_number);
  };
  if (said.dimensions != real.dimensions) {
    return contradiction(counts_at::kDimensions, "shape_count", said.dimensions, real.dimensions);
  }
  if (said.blocks != real.blocks) return contradiction(counts_at::kBlocks, "block_count", said.blocks, real.blocks);
  if (said.unique != real.unique) return contradiction(counts_at::kUnique, "unique_count", said.unique, real.unique);
  return {};
}

constexpr std::string_view kTensorsName = "tensor";

std::optional<size_t> duplicate_name(const std::vector<TensorInfo>& tensors) {
  std::vector<std::string_view> names;
  for (const TensorInfo& info : tensors) names.push_back(info.name);
  return find_duplicate(names);
}

Failure wrong_tensor_count(const Section& section, const TensorCounts& counts) {
  return format_error(Reason::limit, section.fields_at() + counts_at::kTensors,
                      "the tensor section does not contain {} tensors", counts.tensors);
}

// Whether a record can start at `offset` without exceeding the section.
bool has_room(const Section& section, uint64_t offset) {
  return fits(offset, kMinTensorBytes, section.fields_at() + section.size);
}

Parse<void> read_tensor(ByteStream& in, ModelSink& sink, ModelDescription& description) {
  const uint64_t at = in.offset();
  QUINTET_CO_TRY(const Bytes bytes, co_await in.peek(kMaxRecordBytes));
  QUINTET_CO_TRY(TensorInfo info, read_record(bytes, at));
  QUINTET_CO_CHECK(co_await in.skip(info.offset - at));
  if (info.bytes > std::min(in.remaining(), INT64_MAX - in.offset())) {
    co_return entry_error(Code::format, Reason::limit, at + kNumbersBytes, info.name,
                          "a shape that needs {} bytes, but the file has {} more", info.bytes, in.remaining());
  }
  description.tensors.push_back(std::move(info));
  co_return co_await read_tensor_data(in, sink, description.tensors.back());
}

// After the last announced tensor: either the size of the section is right, or the zeros and the end marker that follow
// show that the size is wrong and not the number of tensors.
Parse<void> check_section_end(ByteStream& in, const Section& section, const TensorCounts& counts) {
  Status status = check_size(section, in.offset() - section.fields_at());
  if (status) co_return Status();
  const auto padding = static_cast<size_t>(align_up(in.offset(), kAlignment) - in.offset());
  QUINTET_CO_TRY(const Bytes next, co_await in.peek(padding + kMarkerBytes));
  const Bytes zeros = next.first(std::min(padding, next.size()));
  const bool ends = std::ranges::all_of(zeros, [](std::byte byte) { return byte == std::byte{0}; }) &&
                    is_end_marker(next.subspan(zeros.size()));
  if (ends) co_return failure_of(std::move(status));
  co_return wrong_tensor_count(section, counts);
}

Status check_tensors(const Section& section, const TensorCounts& said, const std::vector<TensorInfo>& tensors) {
  if (const auto duplicate = duplicate_name(tensors)) {
    const TensorInfo& info = tensors[*duplicate];
    return entry_error(Code::format, Reason::duplicate, name_at(info), info.name, "a second tensor with this name");
  }
  const auto real = count_tensors(tensors);
  if (!real) {
    return format_error(real.error().reason, section.fields_at() + counts_at::kBlocks, "{}", real.error().detail);
  }
  return check_counts(said, *real, section.fields_at());
}

Result<uint64_t> place_tensors(std::vector<TensorInfo>& tensors, uint64_t offset) {
  for (TensorInfo& info : tensors) {
    QUINTET_TRY(const uint64_t record_bytes, plan_record(info));
    info.offset = offset + record_bytes;
    const auto end = checked_add(info.offset, info.bytes);
    if (!end || *end > INT64_MAX) return unsupported_error("ALT cannot store tensors of more than 2^63 bytes");
    offset = *end;
  }
  return offset;
}

}  // namespace

Parse<void> read_tensors(ByteStream& in, ModelSink& sink, ModelDescription& description) {
  constexpr uint64_t kMin = counts_at::kBytes + kMinTensorBytes;
  QUINTET_CO_TRY(const Section section, co_await read_section_head(in, kTensorsMarker, kTensorsName, kMin));
  QUINTET_CO_TRY(const Bytes bytes, co_await in.bytes(counts_at::kBytes));
  const TensorCounts counts = read_counts(bytes);
  if (counts.tensors <= 0) co_return wrong_tensor_count(section, counts);
  for (int64_t i = 0; i < counts.tensors; ++i) {
    if (!has_room(section, in.offset())) co_return wrong_tensor_count(section, counts);
    QUINTET_CO_CHECK(co_await read_tensor(in, sink, description));
  }
  QUINTET_CO_CHECK(co_await check_section_end(in, section, counts));
  QUINTET_CO_CHECK(check_tensors(section, counts, description.tensors));
  co_return co_await read_padding(in);
}

Result<uint64_t> write_tensors_head(std::vector<TensorInfo>& tensors, ByteWriter& out) {
  const uint64_t fields_at = out.size() + kSectionHeadBytes;
  QUINTET_TRY(const uint64_t end, place_tensors(tensors, fields_at + counts_at::kBytes));
  if (const auto duplicate = duplicate_name(tensors)) {
    return input_error(Reason::duplicate, "two tensors with the name \"{}\"", tensors[*duplicate].name);
  }
  QUINTET_TRY(const TensorCounts counts, count_tensors(tensors));
  out.put(kTensorsMarker);
  out.put(end - fields_at);
  out.put(counts.tensors);
  out.put(counts.dimensions);
  out.put(counts.blocks);
  out.put(counts.unique);
  return end;
}

}  // namespace quintet::alt
