#include "base/error.h"

namespace quintet {

ErrorPointer::ErrorPointer(Error error) : error_(new Error(std::move(error))) {}

ErrorPointer::ErrorPointer(const ErrorPointer& other) : error_(other.error_ ? new Error(*other.error_) : nullptr) {}

void ErrorPointer::destroy(Error* error) { delete error; }

Error in_format(Error error, std::string_view format) {
  if (error.format.empty()) error.format = format;
  return error;
}

Error in_tensor(Error error, std::string_view tensor) {
  if (error.tensor.empty()) error.tensor = tensor;
  return error;
}

Failure fail(Error error) { return Failure(ErrorPointer(std::move(error))); }

Failure fail_with(Code code, Reason reason, const char* pattern, const FieldValue* values) {
  return fail({.code = code, .reason = reason, .detail = fill_in(pattern, values)});
}

Failure format_error_of(Reason reason, uint64_t offset, const char* pattern, const FieldValue* values) {
  return fail({.code = Code::format, .reason = reason, .detail = fill_in(pattern, values), .offset = offset});
}

Failure unsupported_error_of(std::optional<uint64_t> offset, const char* pattern, const FieldValue* values) {
  return fail({.code = Code::unsupported,
               .reason = Reason::unknown_value,
               .detail = fill_in(pattern, values),
               .offset = offset});
}

Failure memory_error(uint64_t bytes) {
  return fail(
      {.code = Code::memory, .reason = Reason::out_of_memory, .detail = formatted("cannot allocate {} bytes", bytes)});
}

}  // namespace quintet
