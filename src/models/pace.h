#pragma once
// Tasks that compute in steps of a few milliseconds: a task reports how much it has computed, and is suspended when the
// budget of the step is used up.
//
//   Task<> project(...) {
//     for (each range of rows) {
//       multiply(range);
//       co_await pace.spend(multiply_adds(range));
//     }
//   }

#include <algorithm>
#include <cstdint>

#include "base/task.h"
#include "base/thread_pool.h"

namespace quintet {

// Drives one task at a time and counts its work.
class Pace {
 public:
  // Budget of a step in multiply-adds per thread: 10 ms at 13 per nanosecond, which is a weak machine with 8-bit
  // products or a good one with f32.
  static constexpr uint64_t kStep = uint64_t{1} << 27;

  // The remaining budget of the current step.
  uint64_t left() const { return left_; }
  auto spend(uint64_t multiply_adds) {
    left_ -= std::min(left_, multiply_adds);
    return Pause{*this};
  }
  // Ends the step regardless of what is left of its budget: for parts of a pass that are as long as a step.
  auto pause() { return spend(left_); }

  template <class T>
  void start(const Task<T>& task) {
    waiting_.wait(task.promise());
  }
  // Runs for a step; true when the task is done.
  bool step() {
    left_ = kStep * thread_count();
    waiting_.resume();
    return !waiting_;
  }

 private:
  struct Pause {
    Pace& pace;
    bool await_ready() const { return pace.left_ != 0; }
    template <class Promise>
    void await_suspend(std::coroutine_handle<Promise> task) {
      pace.waiting_.wait(task.promise());
    }
    void await_resume() {}
  };

  uint64_t left_ = 0;
  WaitingTask waiting_;  // the task to resume with the next step
};

}  // namespace quintet
