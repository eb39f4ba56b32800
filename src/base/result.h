#pragma once
// The return type of functions that can fail.

#include <concepts>
#include <cstdlib>
#include <expected>
#include <type_traits>
#include <utility>

#include "base/error.h"

namespace quintet {

// The content of a Result: either of the two.
template <class T>
class ValueOrError {
 public:
  ValueOrError() = default;
  template <class U>
  ValueOrError(std::in_place_t, U&& value) : outcome_(std::forward<U>(value)) {}
  explicit ValueOrError(ErrorPointer error) : outcome_(std::unexpect, std::move(error)) {}

  bool has_value() const { return outcome_.has_value(); }
  T& value() { return *outcome_; }
  const T& value() const { return *outcome_; }
  ErrorPointer& error() { return outcome_.error(); }
  const ErrorPointer& error() const { return outcome_.error(); }

 private:
  std::expected<T, ErrorPointer> outcome_;
};

// A plain value can stay in place after the error was moved out: the pointer shows which of the two it is.
template <class T>
  requires std::is_trivially_copyable_v<T>
class ValueOrError<T> {
 public:
  ValueOrError() : value_() {}
  template <class U>
  QUINTET_INLINE ValueOrError(std::in_place_t, U&& value) : value_(static_cast<T>(std::forward<U>(value))) {}
  QUINTET_INLINE explicit ValueOrError(ErrorPointer error) : error_(std::move(error)) {}
  QUINTET_INLINE ValueOrError(ValueOrError&&) = default;
  QUINTET_INLINE ValueOrError(const ValueOrError&) = default;
  QUINTET_INLINE ValueOrError& operator=(ValueOrError&&) = default;
  QUINTET_INLINE ValueOrError& operator=(const ValueOrError&) = default;
  QUINTET_INLINE ~ValueOrError() = default;

  QUINTET_INLINE bool has_value() const { return !error_; }
  QUINTET_INLINE T& value() { return value_; }
  QUINTET_INLINE const T& value() const { return value_; }
  QUINTET_INLINE ErrorPointer& error() { return error_; }
  QUINTET_INLINE const ErrorPointer& error() const { return error_; }

 private:
  ErrorPointer error_;
  union {
    T value_;
  };
};

// A value or an error. Like std::expected<T, Error>, but small: every reader passes many.
template <class T>
class Result {
 public:
  Result() = default;
  template <class U = std::remove_cv_t<T>>
    requires(!std::same_as<std::remove_cvref_t<U>, Result> && std::constructible_from<T, U>)
  explicit(!std::convertible_to<U, T>) Result(U&& value) : outcome_(std::in_place, std::forward<U>(value)) {}
  QUINTET_INLINE Result(Failure failure) : outcome_(failure.take()) {}
  QUINTET_INLINE Result(Result&&) = default;
  QUINTET_INLINE Result(const Result&) = default;
  QUINTET_INLINE Result& operator=(Result&&) = default;
  QUINTET_INLINE Result& operator=(const Result&) = default;
  QUINTET_INLINE ~Result() = default;

  QUINTET_INLINE explicit operator bool() const { return outcome_.has_value(); }
  QUINTET_INLINE bool has_value() const { return outcome_.has_value(); }
  QUINTET_INLINE T& operator*() & { return outcome_.value(); }
  QUINTET_INLINE const T& operator*() const& { return outcome_.value(); }
  QUINTET_INLINE T&& operator*() && { return std::move(outcome_.value()); }
  QUINTET_INLINE T* operator->() { return &outcome_.value(); }
  QUINTET_INLINE const T* operator->() const { return &outcome_.value(); }
  // Ends the program if there is none: for tests and benchmarks.
  T& value() & {
    if (!has_value()) std::abort();
    return **this;
  }
  T value() && { return std::move(value()); }
  T value_or(T other) const { return has_value() ? **this : std::move(other); }
  friend bool operator==(const Result& result, const T& value) { return result && *result == value; }

  Error& error() & { return *outcome_.error(); }
  const Error& error() const& { return *outcome_.error(); }
  Error&& error() && { return std::move(*outcome_.error()); }
  QUINTET_INLINE friend Failure failure_of(Result&& result) { return Failure(std::move(result.outcome_.error())); }

 private:
  ValueOrError<T> outcome_;
};

// Success or an error.
template <>
class Result<void> {
 public:
  Result() = default;
  QUINTET_INLINE Result(Failure failure) : error_(failure.take()) {}
  QUINTET_INLINE Result(Result&&) = default;
  QUINTET_INLINE Result(const Result&) = default;
  QUINTET_INLINE Result& operator=(Result&&) = default;
  QUINTET_INLINE Result& operator=(const Result&) = default;
  QUINTET_INLINE ~Result() = default;

  QUINTET_INLINE explicit operator bool() const { return !error_; }
  QUINTET_INLINE bool has_value() const { return !error_; }

  Error& error() & { return *error_; }
  const Error& error() const& { return *error_; }
  Error&& error() && { return std::move(*error_); }
  QUINTET_INLINE friend Failure failure_of(Result&& result) { return Failure(std::move(result.error_)); }

 private:
  ErrorPointer error_;
};
using Status = Result<void>;

// Overload for other types of errors than Failure.
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

// QUINTET_CHECK(reader.skip(4));  -- continues, or returns the error to the caller.
#define QUINTET_CHECK(expression)                                                                          \
  do {                                                                                                     \
    if (auto quintet_status = (expression); !quintet_status) return failure_of(std::move(quintet_status)); \
  } while (false)
