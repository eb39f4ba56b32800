#include "formats/gguf/split.h"

#include <string>
#include <string_view>

namespace quintet::gguf {
namespace {

// File names have five digits.
constexpr uint64_t kMaxFiles = 99'999;
constexpr std::string_view kCount = "split.count";

// Unchanged if the key is absent.
Status read(const ModelDescription& description, std::string_view key, uint64_t max, uint64_t& value) {
  const Json* found = description.metadata.find(key);
  if (!found) return {};
  const auto number = found->as_uint();
  if (!number || *number > max) {
    return in_format(fail(Code::format, Reason::out_of_range, "{} is not a number up to {}", key, max),
                     name_of(Format::gguf));
  }
  value = *number;
  return {};
}

std::string number_of(uint64_t part, uint64_t count) { return formatted("file {} of {}", part, count); }

}  // namespace

bool is_part(const ModelDescription& description) {
  const Json* count = description.metadata.find(kCount);
  return count && count->as_uint().value_or(0) > 1;
}

Status SplitFiles::add(const ModelDescription& description) {
  uint64_t index = 0, count = 1;
  QUINTET_CHECK(read(description, "split.no", kMaxFiles, index));
  QUINTET_CHECK(read(description, kCount, kMaxFiles, count));
  const bool is_next = index == added_ && index < count && (added_ == 0 || count == count_);
  if (!is_next) {
    return input_error(Reason::mismatch, "expected {} of a split GGUF model, found {}",
                       number_of(added_ + 1, added_ == 0 ? count : count_), number_of(index + 1, count));
  }
  if (added_ == 0) {
    count_ = count;
    QUINTET_CHECK(read(description, "split.tensors.count", UINT32_MAX, tensors_));
  }
  ++added_;
  return {};
}

Status SplitFiles::finish(uint64_t tensors) const {
  if (!several()) return {};
  if (added_ < count_) {
    return input_error(Reason::missing, "{} of a split GGUF model is missing", number_of(added_ + 1, count_));
  }
  if (tensors_ == 0 || tensors == tensors_) return {};
  return in_format(fail(Code::format, Reason::mismatch, "the files contain {} tensors, but split.tensors.count is {}",
                        tensors, tensors_),
                   name_of(Format::gguf));
}

}  // namespace quintet::gguf
