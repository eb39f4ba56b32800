#pragma once
// Keys (after the rotation) and values of the positions that a session has seen, in pages of kPagePositions positions
// of all layers. Forks share their pages until one of them writes (copy on write). With a sliding window the pages that
// no position can see any more are given back: the cache is a ring of pages.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/result.h"
#include "tensor/packed/kv_rows.h"

namespace quintet::decoder {

class KvCache {
 public:
  static constexpr size_t kPagePositions = 32;
  // Most positions of one extension that bytes_for() reckons with.
  static constexpr size_t kMaxExtension = 64;

  struct Shape {
    size_t layers = 0;
    size_t kv_heads = 0;
    KvRowLayout row;
    size_t window = 0;  // positions that one position sees, itself included; 0: all

    // First position that a position sees.
    size_t first_seen_by(size_t position) const { return window == 0 || position < window ? 0 : position - window + 1; }
  };

  // Rows of one head at consecutive positions: row i of `rows` at i * layout.bytes.
  struct Run {
    size_t begin = 0;  // position of the first row
    size_t count = 0;
    const std::byte* keys = nullptr;
    const std::byte* values = nullptr;
  };

  enum class Part : uint8_t { key, value };

  explicit KvCache(const Shape& shape) : shape_(shape) {}
  // With `positions` positions whose rows are still to be written, through row(). MEMORY where there is none.
  static Result<KvCache> with_positions(const Shape& shape, size_t positions);

  const Shape& shape() const { return shape_; }
  size_t length() const { return length_; }  // positions held
  size_t first() const;                      // first position that is still there: 0 without a window
  size_t bytes() const;                      // memory held, shared pages included
  // Most memory that a cache takes on its way to `positions`; the largest number where that is beyond 64 bits.
  static uint64_t bytes_for(const Shape& shape, size_t positions);

  // Room for `count` positions behind length(), none of it shared with a fork. Fails without a change where there is no
  // memory.
  Status extend(size_t count);
  // Encodes key and value [kv_heads][head_dim] of a position below length() + the extension. False where the type of
  // the rows cannot hold them: they are not to be read then.
  bool write(size_t layer, size_t position, const float* keys, const float* values);
  // The positions written since extend() count from now on.
  void commit(size_t count);

  // The row of a position below length(), with those behind it on the same page; null where the window has given it
  // back. Only a cache without forks may be written to.
  const std::byte* row(size_t layer, size_t kv_head, Part part, size_t position) const;
  std::byte* row(size_t layer, size_t kv_head, Part part, size_t position);

  // The rows of a head of the positions [begin, end), page by page: calls visit(Run).
  template <class Visit>
  void for_each_run(size_t layer, size_t kv_head, size_t begin, size_t end, Visit visit) const {
    for (size_t position = begin; position < end;) {
      const Run run = run_at(layer, kv_head, position, end);
      visit(run);
      position += run.count;
    }
  }

  // The same contents; pages are shared.
  KvCache fork() const { return *this; }
  // Forgets the positions from `length` on. INPUT where `length` is more than length(), or where the window's ring no
  // longer holds what position `length` would see.
  Status rewind(size_t length);

 private:
  struct Page;
  // A page of its own for the positions of `shared`, with its contents; with null an empty one. Null: no memory.
  std::shared_ptr<Page> own_page(const Page* shared) const;
  size_t row_offset(size_t layer, size_t kv_head, size_t position) const;  // of its key in the page
  Run run_at(size_t layer, size_t kv_head, size_t position, size_t end) const;

  Shape shape_;
  size_t length_ = 0;
  size_t first_page_ = 0;                     // of those that are there
  std::vector<std::shared_ptr<Page>> pages_;  // null before first_page_, where the ring gave them back
};

}  // namespace quintet::decoder
