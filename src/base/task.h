#pragma once
// A function that reads like straight-line code but runs in pieces: a C++20 coroutine that is suspended when it has to
// wait. A parser waits for bytes (base/byte_stream.h), so the code that reads a whole buffer also reads a stream. A
// computation waits for its next step (models/pace.h).
//
//   Parse<Header> read_header(ByteStream& in) {
//     QUINTET_CO_TRY(auto bytes, co_await in.bytes(64));
//     ...
//     co_return header;
//   }
//
// A child that finishes without waiting never suspends its parent, and one that waits is resumed by the driver, not by
// its parent. So the stack is only as deep as the nesting, however long the file.

#include <coroutine>
#include <cstdlib>
#include <optional>
#include <utility>

#include "base/result.h"

namespace quintet {

// The part of a task's promise that does not depend on its result.
struct TaskPromise {
  TaskPromise* parent = nullptr;  // the task that awaits this one
  std::coroutine_handle<> self;

  std::suspend_always initial_suspend() noexcept { return {}; }
  std::suspend_always final_suspend() noexcept { return {}; }
  void unhandled_exception() noexcept { std::abort(); }  // the core is built without exceptions
};

template <class T>
struct TaskResult : TaskPromise {
  std::optional<T> result;

  void return_value(T value) { result.emplace(std::move(value)); }
  // The error of a Result.
  void return_value(Failure failure) { result.emplace(std::move(failure)); }
  T take() { return std::move(*result); }
};

template <>
struct TaskResult<Status> : TaskPromise {
  Status result;

  void return_value(Status status) { result = std::move(status); }
  Status take() { return std::move(result); }
};

template <>
struct TaskResult<void> : TaskPromise {
  void return_void() {}
  void take() {}
};

template <class T = void>
class [[nodiscard]] Task {
 public:
  struct promise_type : TaskResult<T> {
    Task get_return_object() {
      auto handle = std::coroutine_handle<promise_type>::from_promise(*this);
      this->self = handle;
      return Task(handle);
    }
  };

  Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Task& operator=(Task&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Task() {
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
  T await_resume() { return handle_.promise().take(); }

  // For the driver.
  void start() { handle_.resume(); }
  TaskPromise& promise() const { return handle_.promise(); }
  bool done() const { return handle_.done(); }
  T take() { return handle_.promise().take(); }

 private:
  explicit Task(std::coroutine_handle<promise_type> handle) : handle_(handle) {}

  std::coroutine_handle<promise_type> handle_;
};

// A task that can fail, such as a parser.
template <class T>
using Parse = Task<Result<T>>;

// The innermost suspended task.
class WaitingTask {
 public:
  explicit operator bool() const { return task_ != nullptr; }
  void wait(TaskPromise& task) { task_ = &task; }
  // Resumes it. A task that finishes passes its result to the task that awaits it, which then continues, until one
  // waits again or the outermost is done.
  void resume() {
    for (TaskPromise* task = std::exchange(task_, nullptr); task != nullptr; task = task->parent) {
      task->self.resume();
      if (task_ != nullptr) return;
    }
  }

 private:
  TaskPromise* task_ = nullptr;
};

}  // namespace quintet

// QUINTET_TRY and QUINTET_CHECK for coroutines.
#define QUINTET_CO_TRY(declaration, expression) \
  QUINTET_CO_TRY_(QUINTET_CONCAT(quintet_try_, __LINE__), declaration, expression)
#define QUINTET_CO_TRY_(temporary, declaration, expression)   \
  auto temporary = (expression);                              \
  if (!temporary) co_return failure_of(std::move(temporary)); \
  declaration = std::move(*temporary)

#define QUINTET_CO_CHECK(expression)                                      \
  do {                                                                    \
    auto quintet_status = (expression);                                   \
    if (!quintet_status) co_return failure_of(std::move(quintet_status)); \
  } while (false)
