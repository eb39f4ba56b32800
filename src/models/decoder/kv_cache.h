#pragma once
// Keys (after the rotation) and values of the positions of a session, in pages of kPagePositions positions of all
// layers with the same window. Forks share pages until one of them writes (copy on write). With a sliding window, pages
// that no position can see any more are freed: those layers are a ring of pages. A layer with a short convolution has
// the inputs of the convolution instead, whose window is the length of the kernel. A layer may read the rows of an
// earlier one; it stores none.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "architectures/decoder/config.h"
#include "base/result.h"
#include "tensor/packed/kv_rows.h"

namespace quintet::decoder {

class KvCache {
 public:
  static constexpr size_t kPagePositions = 32;
  // Maximum number of positions of one extension, as assumed by bytes_for().
  static constexpr size_t kMaxExtension = 64;

  struct Shape {
    size_t layers = 0;
    size_t kv_heads = 0;
    KvRowLayout row;
    size_t local_kv_heads = 0;  // of layers with a window; 0: they are like the others
    KvRowLayout local_row = {};
    std::vector<size_t> sources = {};     // the layer whose rows a layer reads; empty: its own
    size_t window = 0;                    // positions that one position sees, itself included; 0: all
    LayerSet full_attention_layers = {};  // without the window
    LayerSet convolution_layers = {};
    size_t kernel = 0;    // length of the convolutions
    size_t channels = 0;  // of the convolutions

    size_t window_of(size_t layer) const {
      if (contains(convolution_layers, layer)) return kernel;
      return contains(full_attention_layers, layer) ? 0 : window;
    }
    size_t kv_heads_of(size_t layer) const { return is_local(layer) ? local_kv_heads : kv_heads; }
    const KvRowLayout& row_of(size_t layer) const { return is_local(layer) ? local_row : row; }
    bool is_local(size_t layer) const { return local_kv_heads != 0 && window_of(layer) != 0; }
    size_t source_of(size_t layer) const { return sources.empty() ? layer : sources[layer]; }
    // Whether positions are freed, so that not every rewind is possible.
    bool forgets() const { return window != 0 || kernel != 0; }
    // The first position that a position sees in a layer.
    size_t first_seen_by(size_t position, size_t layer) const { return first_in_window(position, window_of(layer)); }
  };

  // Rows of one head at consecutive positions: row i of `rows` at i * layout.bytes.
  struct Run {
    size_t begin = 0;  // position of the first row
    size_t count = 0;
    const std::byte* keys = nullptr;
    const std::byte* values = nullptr;
  };

  enum class Part : uint8_t { key, value };

  explicit KvCache(const Shape& shape);
  // Including `positions` positions whose rows are still to be written, with row(). MEMORY if there is not enough.
  static Result<KvCache> with_positions(const Shape& shape, size_t positions);

  const Shape& shape() const { return shape_; }
  size_t length() const { return length_; }  // number of positions
  size_t first(size_t layer) const;          // first position that is still stored: 0 without a window
  size_t bytes() const;                      // memory in use, including shared pages
  // Maximum memory that a cache needs on its way to `positions`; the largest number if that exceeds 64 bits.
  static uint64_t bytes_for(const Shape& shape, size_t positions);

  // Makes room for `count` positions after length(), not shared with any fork. Fails without a change if there is not
  // enough memory.
  Status extend(size_t count);
  // Encodes key and value [kv_heads][head_dim] of a position below length() + the extension. Returns false if the type
  // of the rows cannot represent them; they must not be read then.
  bool write(size_t layer, size_t position, const float* keys, const float* values);
  // The input of a layer's convolution [channels] at a position below length() + the extension that no later one has
  // made unnecessary.
  float* convolution_input(size_t layer, size_t position);
  // Commits the positions written since extend().
  void commit(size_t count);

  // The row of a position below length(), with those after it on the same page; null if the window has freed it.
  // Writing requires a cache without forks.
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

  // A copy with the same contents; pages are shared.
  KvCache fork() const { return *this; }
  // Drops the positions from `length` on. INPUT if `length` is more than length(), or if the ring of a window no longer
  // contains what position `length` would see.
  Status rewind(size_t length);

 private:
  struct Page;

  // The layers of one kind and with one window, and their pages.
  struct Group {
    size_t window = 0;
    bool is_convolution = false;
    size_t first_layer = 0;
    size_t layers = 0;
    size_t first_page = 0;                          // of the stored ones
    std::vector<std::shared_ptr<Page>> pages = {};  // null before first_page, where the ring has freed them
  };
  // Where a layer is.
  struct Place {
    size_t group = 0;
    size_t index = 0;  // in the group
  };

  static size_t first_in_window(size_t position, size_t window) {
    return window == 0 || position < window ? 0 : position - window + 1;
  }
  static std::vector<Group> groups_of(const Shape& shape, std::vector<Place>* places);
  // Bytes of one position of a layer.
  static uint64_t position_bytes(const Shape& shape, const Group& group);
  static uint64_t page_bytes(const Shape& shape, const Group& group);

  // A separate page for the positions of `shared`, with its contents; an empty one for null. Returns null if out of
  // memory.
  std::shared_ptr<Page> own_page(const Group& group, const Page* shared) const;
  // The pages of a group for the positions [begin, end) that no fork shares. MEMORY if there is not enough.
  Result<std::vector<std::shared_ptr<Page>>> own_pages(const Group& group, size_t begin, size_t end) const;
  const Group& group_of(size_t layer) const { return groups_[places_[layer].group]; }
  size_t row_offset(size_t layer, size_t kv_head, size_t position) const;  // of its key in the page
  Run run_at(size_t layer, size_t kv_head, size_t position, size_t end) const;

  Shape shape_;
  size_t length_ = 0;
  std::vector<Place> places_;  // of each layer
  std::vector<Group> groups_;
};

// The shape of a decoder's cache with rows of a type. UNSUPPORTED if the type cannot store the heads.
Result<KvCache::Shape> kv_cache_shape(const DecoderConfig& config, KvType type);

}  // namespace quintet::decoder
