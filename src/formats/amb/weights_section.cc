#include "formats/amb/weights_section.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "base/byte_reader.h"
#include "base/checked.h"
#include "base/order.h"
#include "base/utf8.h"
#include "formats/amb/layout.h"

namespace quintet::amb {
namespace {

// Scales up to this size are buffered, so that the data size after them is checked before a sink receives anything.
constexpr uint64_t kNearBytes = 4096;

// The start of a record's name, from the position of its payload.
uint64_t name_offset(const TensorInfo& info) {
  const uint64_t payload = info.scales_bytes != 0 ? info.scales_offset : info.offset - kDataSizeBytes;
  const uint64_t type_bytes = 1 + (info.quantized() ? kQuantizationBytes : 0);
  return payload - type_bytes - info.shape.size() * sizeof(uint32_t) - 1 - info.name.size();
}

}  // namespace

Parse<std::vector<TensorInfo>> WeightsSection::read() {
  while (room() != 0) QUINTET_CO_CHECK(co_await read_record());
  QUINTET_CO_CHECK(check_unique());
  co_return std::move(tensors_);
}

Parse<void> WeightsSection::read_record() {
  QUINTET_CO_TRY(std::string name, co_await read_name());
  auto info = co_await read_info();
  if (!info) co_return in_tensor(failure_of(std::move(info)), name);
  info->name = std::move(name);
  Status status = co_await read_payload(*info);
  if (status) status = co_await read_padding();
  if (!status) co_return in_tensor(failure_of(std::move(status)), info->name);
  tensors_.push_back(*std::move(info));
  co_return Status();
}

Parse<std::string> WeightsSection::read_name() {
  const uint64_t at = in_.offset();
  QUINTET_CO_CHECK(check_room(sizeof(uint16_t), at));
  QUINTET_CO_TRY(const Bytes stored, co_await in_.take(sizeof(uint16_t)));
  const auto length = load_le<uint16_t>(stored, 0);
  if (length == 0) co_return format_error(Reason::malformed, at, "a tensor without a name");
  QUINTET_CO_CHECK(check_room(length, at));
  QUINTET_CO_TRY(const Bytes name, co_await in_.take(length));
  if (const auto bad = find_invalid_utf8(as_text(name))) {
    co_return format_error(Reason::invalid_utf8, at + sizeof(length) + *bad, "a tensor's name that is not UTF-8");
  }
  co_return std::string(as_text(name));
}

Parse<RecordFields> WeightsSection::look_at_fields() {
  const uint64_t dimensions_at = in_.offset();
  QUINTET_CO_CHECK(check_room(1, dimensions_at));
  QUINTET_CO_TRY(const Bytes stored, co_await in_.take(1));
  RecordFields record = {.at = in_.offset(), .dimensions = load_le<uint8_t>(stored, 0), .room = room()};
  const uint64_t plain_bytes = fields_bytes(record.dimensions, kFp32);
  QUINTET_CO_CHECK(check_room(plain_bytes + kDataSizeBytes, dimensions_at));
  QUINTET_CO_TRY(record.ahead, co_await in_.look(plain_bytes));
  const uint64_t bytes = record.bytes();
  QUINTET_CO_CHECK(check_room(bytes + kDataSizeBytes, record.at + plain_bytes - 1));
  QUINTET_CO_TRY(record.ahead, co_await in_.look(bytes));
  co_return record;
}

Parse<TensorInfo> WeightsSection::read_info() {
  QUINTET_CO_TRY(RecordFields record, co_await look_at_fields());
  const uint64_t fields = record.bytes();
  std::optional<TensorInfo> info = read_fields(record);
  if (!info) {
    QUINTET_CO_CHECK(co_await look_further(record));
    co_return wrong_fields(record);
  }
  if (info->scales_bytes <= kNearBytes) QUINTET_CO_CHECK(co_await check_data_size(record, *info));
  if (info->quantization.scheme == Scheme::adaptive) QUINTET_CO_CHECK(co_await check_mask(record, *info));
  QUINTET_CO_CHECK(co_await in_.take(fields));
  co_return *std::move(info);
}

Parse<void> WeightsSection::check_data_size(RecordFields& record, TensorInfo& info) {
  const uint64_t at = info.offset - kDataSizeBytes - record.at;
  QUINTET_CO_TRY(record.ahead, co_await in_.look(at + kDataSizeBytes));
  const auto stored = load_le<uint64_t>(record.ahead, static_cast<size_t>(at));
  if (stored == info.bytes) co_return Status();
  const bool adaptive = info.quantization.scheme == Scheme::adaptive;
  if (adaptive && stored > info.bytes && fits(info.offset - record.at, stored, record.room)) {
    info.bytes = stored;
    co_return Status();
  }
  QUINTET_CO_CHECK(co_await look_further(record));
  co_return wrong_data_size(record, info, stored);
}

Parse<void> WeightsSection::check_mask(RecordFields& record, const TensorInfo& info) {
  const uint64_t mask_at = info.offset - record.at;
  QUINTET_CO_TRY(record.ahead, co_await in_.look(mask_at + mask_bytes(info)));
  if (mask_fits(info, record.ahead.subspan(static_cast<size_t>(mask_at)))) co_return Status();
  QUINTET_CO_CHECK(co_await look_further(record));
  co_return wrong_mask(record, info);
}

Parse<void> WeightsSection::look_further(RecordFields& record) {
  const uint64_t min = fields_bytes(kMaxDimensions, kFp32) + kQuantizationBytes + kDataSizeBytes;
  QUINTET_CO_TRY(record.ahead, co_await in_.stream().peek(std::min(record.room, min + kNearBytes)));
  co_return Status();
}

Parse<void> WeightsSection::read_payload(const TensorInfo& info) {
  QUINTET_CO_TRY(const std::unique_ptr<ByteSink> sink,
                 sink_.tensor({.info = info, .bytes_exist = in_.stream().length_known()}));
  QUINTET_CO_CHECK(co_await in_.pass(info.scales_bytes, sink.get()));
  QUINTET_CO_TRY(const Bytes stored, co_await in_.take(kDataSizeBytes));
  if (const auto size = load_le<uint64_t>(stored, 0); size != info.bytes) {
    co_return format_error(Reason::mismatch, info.offset - kDataSizeBytes,
                           "{} bytes of data, but shape and type need {}", size, info.bytes);
  }
  QUINTET_CO_CHECK(co_await in_.pass(info.bytes, sink.get()));
  if (sink) QUINTET_CO_CHECK(sink->finish());
  co_return Status();
}

Parse<void> WeightsSection::read_padding() {
  const uint64_t padding = align_up(in_.offset(), kAlignment) - in_.offset();
  QUINTET_CO_CHECK(check_room(padding, in_.offset()));
  co_return co_await in_.pass_zeros(padding);
}

Status WeightsSection::check_unique() const {
  std::vector<std::string_view> names;
  names.reserve(tensors_.size());
  for (const TensorInfo& info : tensors_) names.push_back(info.name);
  const auto twice = find_duplicate(names);
  if (!twice) return {};
  const TensorInfo& info = tensors_[*twice];
  return entry_error(Code::format, Reason::duplicate, name_offset(info), info.name, "two tensors with the same name");
}

Status WeightsSection::check_room(uint64_t n, uint64_t field) const {
  if (n <= room()) return {};
  return format_error(Reason::limit, size_in_doubt_ ? header_at::kWeightsSize : field,
                      "{} more bytes of a tensor, but the weights section ends after {}", n, room());
}

}  // namespace quintet::amb
