#pragma once
// Keys (after the rotation) and values of the positions of a session, in pages of kPagePositions positions of all
// layers with the same window and heads. Forks share pages until one of them writes (copy on write). With a sliding
// window, pages that no position can see any more are freed: those layers are a ring of pages. Recurrent layers have a
// state instead, that after the last position, which cannot be rewound: the cache goes back only to lengths with a
// checkpoint. A layer may read the rows of an earlier one; it stores none.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "architectures/decoder/config.h"
#include "base/result.h"
#include "models/decoder/checkpoints.h"
#include "models/decoder/recurrent_state.h"
#include "tensor/packed/kv_rows.h"

namespace quintet::decoder {

class KvCache {
 public:
  static constexpr size_t kPagePositions = 32;
  // Maximum number of positions of one extension, as assumed by bytes_for().
  static constexpr size_t kMaxExtension = 64;

  enum class Part : uint8_t { key, value };

  struct Shape {
    size_t layers = 0;
    size_t kv_heads = 0;
    KvRowLayout row;
    size_t local_kv_heads = 0;  // of the layers in `local_layers`
    KvRowLayout local_row = {};
    // The layout of values, if they have another type than keys.
    std::optional<KvRowLayout> value_row = {}, local_value_row = {};
    LayerSet local_layers = {};
    std::vector<size_t> sources = {};     // the layer whose rows a layer reads; empty: its own
    size_t window = 0;                    // positions that one position sees, itself included; 0: all
    LayerSet full_attention_layers = {};  // without the window
    LayerSet recurrent_layers = {};
    LayerSet layers_without_rows = {};  // without attention, or with that of their source
    RecurrentState::Sizes state = {};

    bool has_rows(size_t layer) const { return !contains(layers_without_rows, layer); }
    size_t window_of(size_t layer) const { return contains(full_attention_layers, layer) ? 0 : window; }
    size_t kv_heads_of(size_t layer) const { return contains(local_layers, layer) ? local_kv_heads : kv_heads; }
    const KvRowLayout& row_of(size_t layer, Part part) const {
      const bool is_local = contains(local_layers, layer);
      const std::optional<KvRowLayout>& of_values = is_local ? local_value_row : value_row;
      if (part == Part::value && of_values) return *of_values;
      return is_local ? local_row : row;
    }
    size_t source_of(size_t layer) const { return sources.empty() ? layer : sources[layer]; }
    size_t own_layers() const;  // those before the layers that read the rows of others
    // Divides the size of every head; 0 without any.
    size_t common_head_dim() const;
    // Whether not every rewind is possible.
    bool forgets() const { return window != 0 || state.exist(); }
    // The first position that a position sees in a layer.
    size_t first_seen_by(size_t position, size_t layer) const { return first_in_window(position, window_of(layer)); }
  };

  // Rows of one head at consecutive positions: row i at i * row_of().bytes.
  struct Run {
    size_t begin = 0;  // position of the first row
    size_t count = 0;
    const std::byte* keys = nullptr;
    const std::byte* values = nullptr;
  };

  explicit KvCache(const Shape& shape);
  // Including `positions` positions whose rows are still to be written, with row(). MEMORY if there is not enough.
  static Result<KvCache> with_positions(const Shape& shape, size_t positions);

  const Shape& shape() const { return shape_; }
  size_t length() const { return length_; }  // number of positions
  size_t first(size_t layer) const;          // first position that is still stored: 0 without a window
  size_t bytes() const;                      // memory in use, including shared pages and states
  uint64_t row_bytes() const;                // of the keys and values of length() positions
  // Maximum memory that a cache needs on its way to `positions`; the largest number if that exceeds 64 bits.
  static uint64_t bytes_for(const Shape& shape, size_t positions);

  // Makes room for `count` positions after length(), not shared with any fork. Fails without a change if there is not
  // enough memory.
  Status extend(size_t count);
  // Encodes key and value [kv_heads][head_dim] of a position below length() + the extension. Returns false if the type
  // of the rows cannot represent them; they must not be read then.
  bool write(size_t layer, size_t position, const float* keys, const float* values);
  // The states of recurrent layers after length() positions, null before the first; and, after extend(), that which
  // commit() puts in its place. It begins with the inputs of the old one. Its values are to be written from
  // values_before(), so that no pass copies them. `recurrent_index`: the number of a layer in both.
  const RecurrentState* state() const { return state_.get(); }
  RecurrentState& next_state() { return *next_state_; }
  std::span<const float> values_before(size_t layer) const {
    return (state_ ? *state_ : std::as_const(*next_state_)).values(recurrent_index(layer));
  }
  size_t recurrent_index(size_t layer) const { return places_[layer].state; }
  // The extension, as a separate cache to write to; this cache returns to its state before extend().
  KvCache take_extension();
  // Commits the positions written since extend(), and the next state.
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

  // A copy with the same contents; pages and states are shared.
  KvCache fork() const;
  // Drops the positions from `length` on. INPUT if `length` is more than length(), if the ring of a window no longer
  // contains what position `length` would see, or if recurrent layers have no checkpoint there.
  Status rewind(size_t length);

  // Keeps the states of length(), if there are recurrent layers, as long as the checkpoints take no more than
  // max_checkpoint_bytes() for a context of that length.
  void keep_checkpoint(size_t context);
  // In a cache from with_positions(), in ascending order; the last one is that after all positions.
  void restore_checkpoint(size_t length, std::shared_ptr<const RecurrentState> state);
  const Checkpoints& checkpoints() const { return checkpoints_; }
  // Keeps all that fit, at least the last one.
  void drop_checkpoints(uint64_t max_bytes);
  static uint64_t max_checkpoint_bytes(const Shape& shape, size_t context);

 private:
  struct Page;

  // The layers with the same window and heads, and their pages.
  struct Group {
    size_t window = 0;
    size_t first_layer = 0;
    size_t layers = 0;
    size_t first_page = 0;                          // of the stored ones
    std::vector<std::shared_ptr<Page>> pages = {};  // null before first_page, where the ring has freed them
  };
  // A layer's group, and its index in it.
  struct Place {
    size_t group = 0;
    size_t index = 0;  // in the group
    size_t state = 0;  // of a recurrent layer, among all of them
  };

  static size_t first_in_window(size_t position, size_t window) {
    return window == 0 || position < window ? 0 : position - window + 1;
  }
  static std::vector<Group> groups_of(const Shape& shape, std::vector<Place>* places);
  static uint64_t page_bytes(const Shape& shape, const Group& group);

  // A separate page for the positions of `shared`, with its contents; an empty one for null. Returns null if out of
  // memory.
  std::shared_ptr<Page> own_page(const Group& group, const Page* shared) const;
  // The pages of a group for the positions [begin, end) that no fork shares. MEMORY if there is not enough.
  Result<std::vector<std::shared_ptr<Page>>> own_pages(const Group& group, size_t begin, size_t end) const;
  Status prepare_next_state();
  const Group& group_of(size_t layer) const { return groups_[places_[layer].group]; }
  size_t row_offset(size_t layer, size_t kv_head, Part part, size_t position) const;  // in the page
  Run run_at(size_t layer, size_t kv_head, size_t position, size_t end) const;

  Shape shape_;
  size_t length_ = 0;
  std::vector<Place> places_;  // of each layer
  std::vector<Group> groups_;
  std::shared_ptr<const RecurrentState> state_;
  std::shared_ptr<RecurrentState> next_state_;  // not shared
  Checkpoints checkpoints_;
};

// The shape of a decoder's cache with rows of these types. UNSUPPORTED if one cannot store the heads.
Result<KvCache::Shape> kv_cache_shape(const DecoderConfig& config, const KvTypes& types);

}  // namespace quintet::decoder
