#include "formats/alt/tensors_section.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/checked.h"
#include "base/duplicates.h"
#include "formats/alt/markers.h"
#include "formats/alt/section.h"
#include "formats/alt/tensor_counts.h"
#include "formats/alt/tensor_record.h"
#include "formats/tensor_data.h"

namespace quintet::alt {
namespace {

constexpr std::string_view kSectionName = "tensor";

std::optional<size_t> duplicate_name(const std::vector<TensorInfo>& tensors) {
  std::vector<std::string_view> names;
  for (const TensorInfo& info : tensors) names.push_back(info.name);
  return find_duplicate(names);
}

std::unexpected<Error> wrong_tensor_count(const Section& section, const TensorCounts& counts) {
  return format_error(Reason::limit, section.fields_at() + counts_at::kTensors,
                      "the tensor section does not hold " + std::to_string(counts.tensors) + " tensors");
}

// Whether a record can begin at `offset` without passing the section's end.
bool has_room(const Section& section, uint64_t offset) {
  return fits(offset, kLeastTensorBytes, section.fields_at() + section.size);
}

Parse<void> read_tensor(ByteStream& in, ModelSink& sink, ModelDescription& description) {
  const uint64_t at = in.offset();
  QUINTET_CO_TRY(const Bytes bytes, co_await in.peek(kMaxRecordBytes));
  QUINTET_CO_TRY(TensorInfo info, read_record(bytes, at));
  QUINTET_CO_CHECK(co_await in.skip(info.offset - at));
  if (info.bytes > std::min(in.remaining(), INT64_MAX - in.offset())) {
    co_return fail(in_tensor(format_error(Reason::limit, at + kNumbersBytes,
                                          "a shape that takes " + std::to_string(info.bytes) + " bytes, the file has " +
                                              std::to_string(in.remaining()) + " more")
                                 .error(),
                             info.name));
  }
  description.tensors.push_back(std::move(info));
  co_return co_await read_tensor_data(in, sink, description.tensors.back());
}

// Behind the last announced tensor: either the section's size is right, or the zeros and the end marker that follow
// tell that it is the size that is wrong and not the number of tensors.
Parse<void> check_section_end(ByteStream& in, const Section& section, const TensorCounts& counts) {
  const Status status = check_size(section, in.offset() - section.fields_at());
  if (status) co_return Status();
  const auto padding = static_cast<size_t>(align_up(in.offset(), kAlignment) - in.offset());
  QUINTET_CO_TRY(const Bytes next, co_await in.peek(padding + kMarkerBytes));
  const Bytes zeros = next.first(std::min(padding, next.size()));
  const bool ends = std::ranges::all_of(zeros, [](std::byte byte) { return byte == std::byte{0}; }) &&
                    is_end_marker(next.subspan(zeros.size()));
  if (ends) co_return fail(status.error());
  co_return wrong_tensor_count(section, counts);
}

Status check_tensors(const Section& section, const TensorCounts& said, const std::vector<TensorInfo>& tensors) {
  if (const auto duplicate = duplicate_name(tensors)) {
    const TensorInfo& info = tensors[*duplicate];
    return fail(
        in_tensor(format_error(Reason::duplicate, name_at(info), "a second tensor of that name").error(), info.name));
  }
  const auto real = count_tensors(tensors);
  if (!real) {
    return format_error(real.error().reason, section.fields_at() + counts_at::kBlocks, real.error().detail);
  }
  return check_counts(said, *real, section.fields_at());
}

Result<uint64_t> place_tensors(std::vector<TensorInfo>& tensors, uint64_t offset) {
  for (TensorInfo& info : tensors) {
    QUINTET_TRY(const uint64_t record_bytes, plan_record(info));
    info.offset = offset + record_bytes;
    const auto end = checked_add(info.offset, info.bytes);
    if (!end || *end > INT64_MAX) return unsupported_error("ALT holds no file of that size");
    offset = *end;
  }
  return offset;
}

}  // namespace

Parse<void> read_tensors(ByteStream& in, ModelSink& sink, ModelDescription& description) {
  constexpr uint64_t kLeast = counts_at::kBytes + kLeastTensorBytes;
  QUINTET_CO_TRY(const Section section, co_await read_section_head(in, kTensorsMarker, kSectionName, kLeast));
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
    return input_error(Reason::duplicate, "two tensors of the name \"" + tensors[*duplicate].name + "\"");
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
