#include "base/error.h"

namespace quintet {

ErrorPointer::ErrorPointer(Error error) : error_(new Error(std::move(error))) {}

ErrorPointer::ErrorPointer(const ErrorPointer& other) : error_(other.error_ ? new Error(*other.error_) : nullptr) {}

void ErrorPointer::destroy(Error* error) { delete error; }

Failure in_format(Failure failure, std::string_view format) {
  if (failure.error().format.empty()) failure.error().format = format;
  return failure;
}

Failure in_tensor(Failure failure, std::string_view tensor) {
  if (failure.error().tensor.empty()) failure.error().tensor = tensor;
  return failure;
}

Failure at_offset(Failure failure, std::optional<uint64_t> offset) {
  if (!failure.error().offset) failure.error().offset = offset;
  return failure;
}

Failure fail(Error error) { return Failure(ErrorPointer(std::move(error))); }

Failure fail_with(Code code, Reason reason, const char* pattern, const FieldValue* values) {
  return fail({.code = code, .reason = reason, .detail = fill_in(pattern, values)});
}

Failure format_error_of(Reason reason, uint64_t offset, const char* pattern, const FieldValue* values) {
  return at_offset(fail_with(Code::format, reason, pattern, values), offset);
}

Failure unsupported_error_of(const char* pattern, const FieldValue* values) {
  return fail_with(Code::unsupported, Reason::unknown_value, pattern, values);
}

Failure unsupported_at_of(uint64_t offset, const char* pattern, const FieldValue* values) {
  return at_offset(unsupported_error_of(pattern, values), offset);
}

Failure memory_error(uint64_t bytes) {
  return fail(Code::memory, Reason::out_of_memory, "cannot allocate {} bytes", bytes);
}

}  // namespace quintet
