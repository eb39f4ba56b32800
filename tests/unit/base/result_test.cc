// Results keep the whole error on their way through functions.
#include "base/result.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "base/task.h"

namespace quintet {
namespace {

Failure broken() {
  return fail({.code = Code::format,
               .reason = Reason::checksum,
               .detail = "a text that is too long to be stored in the object itself",
               .offset = 17,
               .format = "gguf",
               .tensor = "output.weight"});
}

void expect_broken(const Error& error) {
  EXPECT_EQ(error.code, Code::format);
  EXPECT_EQ(error.reason, Reason::checksum);
  EXPECT_EQ(error.detail, "a text that is too long to be stored in the object itself");
  EXPECT_EQ(error.offset, 17U);
  EXPECT_EQ(error.format, "gguf");
  EXPECT_EQ(error.tensor, "output.weight");
}

template <class T>
Result<T> value_or_broken(bool good, T value) {
  if (!good) return broken();
  return value;
}

Status check(bool good) { return good ? Status() : broken(); }

// Through results of other types.
Result<std::string> relayed(bool first, bool second, bool third) {
  QUINTET_CHECK(check(first));
  QUINTET_TRY(const int number, value_or_broken(second, 4));
  QUINTET_TRY(std::vector<int> numbers, value_or_broken(third, std::vector<int>{number}));
  return std::to_string(numbers[0]);
}

Parse<std::string> awaited(bool first, bool second, bool third) {
  QUINTET_CO_CHECK(check(first));
  QUINTET_CO_TRY(const int number, value_or_broken(second, 4));
  QUINTET_CO_TRY(std::vector<int> numbers, value_or_broken(third, std::vector<int>{number}));
  co_return std::to_string(numbers[0]);
}

Parse<void> awaited(bool good) {
  QUINTET_CO_CHECK(check(good));
  co_return Status();
}

TEST(Result, PassesAnErrorToTheCaller) {
  for (int bad = 0; bad < 3; ++bad) {
    const Result<std::string> result = relayed(bad != 0, bad != 1, bad != 2);
    ASSERT_FALSE(result);
    expect_broken(result.error());
    auto task = awaited(bad != 0, bad != 1, bad != 2);
    task.start();
    const Result<std::string> taken = task.take();
    ASSERT_FALSE(taken);
    expect_broken(taken.error());
  }
  ASSERT_TRUE(relayed(true, true, true));
  EXPECT_EQ(*relayed(true, true, true), "4");
}

TEST(Failure, GetsOnlyTheDetailsItLacks) {
  Failure whole = at_offset(in_tensor(in_format(broken(), "amb"), "embeddings.weight"), 3);
  expect_broken(whole.error());
  Failure bare = at_offset(
      in_tensor(in_format(fail(Code::format, Reason::missing, "{} of {}", 1, 2), "amb"), "embeddings.weight"), 3);
  EXPECT_EQ(bare.error().detail, "1 of 2");
  EXPECT_EQ(bare.error().format, "amb");
  EXPECT_EQ(bare.error().tensor, "embeddings.weight");
  EXPECT_EQ(bare.error().offset, 3U);
}

TEST(Result, OfATaskWithoutAValue) {
  auto good = awaited(true), bad = awaited(false);
  good.start();
  bad.start();
  EXPECT_TRUE(good.take());
  const Status status = bad.take();
  ASSERT_FALSE(status);
  expect_broken(status.error());
}

// Copies share nothing, and what was moved or overwritten is destroyed once (with a sanitizer).
template <class T>
void expect_value_semantics(const T& value) {
  Result<T> good = value, bad = broken();
  Result<T> copy = bad;
  copy.error().detail = "changed";
  expect_broken(bad.error());
  copy = good;
  ASSERT_TRUE(copy);
  EXPECT_EQ(*copy, value);
  Result<T> moved = std::move(bad);
  expect_broken(moved.error());
  good = std::move(moved);
  expect_broken(good.error());
  moved = std::move(copy);
  EXPECT_EQ(*moved, value);
}

TEST(Result, IsAValue) {
  expect_value_semantics<int>(3);
  expect_value_semantics<std::string>("a text that is too long to be stored in the object itself");
  expect_value_semantics<std::vector<int>>({1, 2, 3});
}

TEST(Result, HoldsWhatCannotBeCopied) {
  Result<std::unique_ptr<int>> result = value_or_broken(true, std::make_unique<int>(5));
  const std::unique_ptr<int> taken = *std::move(result);
  EXPECT_EQ(*taken, 5);
}

TEST(Status, IsAValue) {
  Status good, bad = broken();
  const Status copy = bad;
  bad.error().detail = "changed";
  expect_broken(copy.error());
  good = copy;
  expect_broken(good.error());
  bad = Status();
  EXPECT_TRUE(bad);
  const Error error = std::move(good).error();
  expect_broken(error);
}

}  // namespace
}  // namespace quintet
