#pragma once
// What a function returns that can fail.

#include <concepts>
#include <expected>
#include <type_traits>
#include <utility>

#include "base/error.h"

namespace quintet {

// A value or an error. Like std::expected<T, Error>, but small: it is moved by every reader.
template <class T>
class Result {
 public:
  Result() = default;
  template <class U = std::remove_cv_t<T>>
    requires(!std::same_as<std::remove_cvref_t<U>, Result> && std::constructible_from<T, U>)
  explicit(!std::convertible_to<U, T>) Result(U&& value) : outcome_(std::forward<U>(value)) {}
  Result(Failure failure) : outcome_(std::unexpect, failure.take()) {}

  explicit operator bool() const { return outcome_.has_value(); }
  bool has_value() const { return outcome_.has_value(); }
  T& operator*() & { return *outcome_; }
  const T& operator*() const& { return *outcome_; }
  T&& operator*() && { return *std::move(outcome_); }
  T* operator->() { return outcome_.operator->(); }
  const T* operator->() const { return outcome_.operator->(); }
  T value_or(T other) const { return has_value() ? *outcome_ : std::move(other); }

  Error& error() & { return *outcome_.error(); }
  const Error& error() const& { return *outcome_.error(); }
  Error&& error() && { return std::move(*outcome_.error()); }
  friend Failure failure_of(Result&& result) { return Failure(std::move(result.outcome_).error()); }

 private:
  std::expected<T, ErrorPointer> outcome_;
};

// Success or an error.
template <>
class Result<void> {
 public:
  Result() = default;
  Result(Failure failure) : error_(failure.take()) {}

  explicit operator bool() const { return !error_; }
  bool has_value() const { return !error_; }

  Error& error() & { return *error_; }
  const Error& error() const& { return *error_; }
  Error&& error() && { return std::move(*error_); }
  friend Failure failure_of(Result&& result) { return Failure(std::move(result.error_)); }

 private:
  ErrorPointer error_;
};
using Status = Result<void>;

// The same for what has other errors than those of files and callers.
template <class T, class E>
std::unexpected<E> failure_of(std::expected<T, E>&& result) {
  return std::unexpected<E>(std::move(result).error());
}

}  // namespace quintet

#define QUINTET_CONCAT_(a, b) a##b
#define QUINTET_CONCAT(a, b) QUINTET_CONCAT_(a, b)

// QUINTET_TRY(auto n, reader.u32());  -- declares n, or returns the error to the caller.
#define QUINTET_TRY(declaration, expression) \
  QUINTET_TRY_(QUINTET_CONCAT(quintet_try_, __LINE__), declaration, expression)
#define QUINTET_TRY_(temporary, declaration, expression)   \
  auto temporary = (expression);                           \
  if (!temporary) return failure_of(std::move(temporary)); \
  declaration = std::move(*temporary)

// QUINTET_CHECK(reader.skip(4));  -- goes on, or returns the error to the caller.
#define QUINTET_CHECK(expression)                                                                          \
  do {                                                                                                     \
    if (auto quintet_status = (expression); !quintet_status) return failure_of(std::move(quintet_status)); \
  } while (false)
