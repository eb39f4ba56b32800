#pragma once
// A parser that reads like straight-line code and yet is fed chunk by chunk: a C++20 coroutine that is
// suspended where the bytes it asks for have not arrived. The code that reads a whole buffer is therefore
// the code that reads a stream.
//
//   Parse<Header> read_header(ByteStream& in) {
//     QUINTET_CO_TRY(auto bytes, co_await in.bytes(64));
//     ...
//     co_return header;
//   }
//
// A child that finishes without waiting never suspends its parent, and one that does wait is resumed by the
// stream's driver, not by its parent: the stack is as deep as the nesting, however long the file.

#include <coroutine>
#include <cstdlib>
#include <optional>
#include <utility>

#include "base/result.h"

namespace quintet {

// The part of a coroutine's promise that does not depend on its result.
struct ParsePromiseBase {
  ParsePromiseBase* parent = nullptr;  // who waits for this one
  std::coroutine_handle<> self;

  std::suspend_always initial_suspend() noexcept { return {}; }
  std::suspend_always final_suspend() noexcept { return {}; }
  void unhandled_exception() noexcept { std::abort(); }  // the core is built without exceptions
};

template <class T>
class [[nodiscard]] Parse {
 public:
  struct promise_type : ParsePromiseBase {
    std::optional<Result<T>> result;

    Parse get_return_object() {
      auto handle = std::coroutine_handle<promise_type>::from_promise(*this);
      self = handle;
      return Parse(handle);
    }
    void return_value(Result<T> value) { result.emplace(std::move(value)); }
    void return_value(Passed<Error> error) { result.emplace(std::unexpect, error.take()); }
  };

  Parse(Parse&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Parse& operator=(Parse&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Parse() {
    if (handle_) handle_.destroy();
  }

  bool await_ready() {
    handle_.resume();
    return handle_.done();
  }
  template <class ParentPromise>
  void await_suspend(std::coroutine_handle<ParentPromise> parent) {
    handle_.promise().parent = &parent.promise();
  }
  Result<T> await_resume() { return std::move(*handle_.promise().result); }

  // For the driver.
  void start() { handle_.resume(); }
  bool done() const { return handle_.done(); }
  Result<T> take() { return std::move(*handle_.promise().result); }

 private:
  explicit Parse(std::coroutine_handle<promise_type> handle) : handle_(handle) {}

  std::coroutine_handle<promise_type> handle_;
};

}  // namespace quintet

// QUINTET_TRY and QUINTET_CHECK for coroutines.
#define QUINTET_CO_TRY(declaration, expression) \
  QUINTET_CO_TRY_(QUINTET_CONCAT(quintet_try_, __LINE__), declaration, expression)
#define QUINTET_CO_TRY_(temporary, declaration, expression)       \
  auto temporary = (expression);                                  \
  if (!temporary) co_return ::quintet::Passed(temporary.error()); \
  declaration = std::move(*temporary)

#define QUINTET_CO_CHECK(expression)                                          \
  do {                                                                        \
    auto quintet_status = (expression);                                       \
    if (!quintet_status) co_return ::quintet::Passed(quintet_status.error()); \
  } while (false)
