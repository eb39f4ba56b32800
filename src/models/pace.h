#pragma once
// Tasks that compute in steps of a few milliseconds: one says how much it has just computed, and is suspended where
// the step's share is used up.
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

// Drives one task at a time and counts what it computes.
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
  // Ends the step whatever is left of it: for parts of a pass that are as long as a step each.
  auto pause() { return spend(left_); }

  template <class T>
  void start(const Task<T>& task) {
    waiting_.wait(task.promise());
  }
  // Goes on for a step; true when the task is done.
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
  WaitingTask waiting_;  // who goes on with the next step
};

}  // namespace quintet
