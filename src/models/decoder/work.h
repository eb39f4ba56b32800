#pragma once
// A computation that reads like straight-line code and yet is done in steps of a few milliseconds: a C++20 coroutine
// that says how much it has just computed, and is suspended where a step's share is used up.
//
//   Work project(...) {
//     for (each range of rows) {
//       multiply(range);
//       co_await pace.spend(multiply_adds(range));
//     }
//   }
//
// As in base/parse.h a child that finishes within the step never suspends its parent, and one that does not is resumed
// by the driver.

#include <algorithm>
#include <coroutine>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include "base/thread_pool.h"

namespace quintet::decoder {

class [[nodiscard]] Work {
 public:
  struct promise_type {
    promise_type* parent = nullptr;  // who waits for this one

    Work get_return_object() { return Work(std::coroutine_handle<promise_type>::from_promise(*this)); }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() noexcept { std::abort(); }  // the core is built without exceptions
  };
  using Handle = std::coroutine_handle<promise_type>;

  Work(Work&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Work& operator=(Work&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Work() {
    if (handle_) handle_.destroy();
  }

  bool await_ready() {
    handle_.resume();
    return handle_.done();
  }
  void await_suspend(Handle parent) { handle_.promise().parent = &parent.promise(); }
  void await_resume() {}

  Handle handle() const { return handle_; }

 private:
  explicit Work(Handle handle) : handle_(handle) {}

  Handle handle_;
};

// Drives one Work at a time and counts what it computes.
class Pace {
 public:
  // Multiply-adds of a thread in a step: 10 ms where 13 of them take a nanosecond, which is a weak machine with 8-bit
  // products or a good one with f32.
  static constexpr uint64_t kStep = uint64_t{1} << 27;

  // What the current step may still compute.
  uint64_t left() const { return left_; }
  auto spend(uint64_t multiply_adds) {
    left_ -= std::min(left_, multiply_adds);
    return Pause{*this};
  }

  void start(const Work& work) { waiting_ = work.handle(); }
  // Goes on for a step; true when the work is done.
  bool step() {
    left_ = kStep * thread_count();
    for (Work::Handle at = std::exchange(waiting_, nullptr);;) {
      at.resume();
      if (waiting_) return false;
      Work::promise_type* parent = at.promise().parent;
      if (parent == nullptr) return true;
      at = Work::Handle::from_promise(*parent);
    }
  }

 private:
  struct Pause {
    Pace& pace;
    bool await_ready() const { return pace.left_ != 0; }
    void await_suspend(Work::Handle self) { pace.waiting_ = self; }
    void await_resume() {}
  };

  uint64_t left_ = 0;
  Work::Handle waiting_;  // who goes on with the next step
};

}  // namespace quintet::decoder
