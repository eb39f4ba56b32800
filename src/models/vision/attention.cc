#include "models/vision/attention.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "models/vision/work_shares.h"

namespace quintet::vision {
namespace {

using Map = FeatureMap<float>;

// Queries that are processed together: their scores stay in the cache.
constexpr size_t kQueryBlock = 96;

size_t rounded_up(size_t n) { return (n + kPanelRows - 1) / kPanelRows * kPanelRows; }

// The rows of one head, and the memory of the thread that computes it.
struct Head {
  ConstRows q, k, v;
  Rows y;
  size_t tokens, dim;
  size_t queries;
  float* panels;  // K and V^T as the convolution reads weights
  float* scores;  // those of a block of queries, then their result

  // In 64 bits: the scores of a block of queries may be more than an address space holds.
  static uint64_t panel_values(size_t tokens, size_t dim) {
    return uint64_t{rounded_up(tokens)} * dim + uint64_t{rounded_up(dim)} * tokens;
  }
  static uint64_t score_values(size_t tokens, size_t dim) { return kQueryBlock * (uint64_t{tokens} + dim); }
};

// y = x . w^T, as a convolution whose windows are the rows of x.
void multiply(const Kernels& kernels, const ConstRows& x, size_t rows, const FloatPanels& w, float* y) {
  const Im2colView view = {.rows = 1, .run = w.cols, .row_stride = w.cols, .step = x.stride, .line = 0, .width = rows};
  const OutputGrid grid = {.height = 1, .width = rows, .row_stride = 0, .channels = w.rows};
  kernels.convolve_f32({.input = x.data, .view = view, .w = w, .output = y, .grid = grid}, {},
                       {.begin = 0, .end = rows, .panel_begin = 0, .panel_end = rounded_up(w.rows) / kPanelRows});
}

// add(first, rows, scores): adds biases to the scores of some queries.
template <class Add>
void attend_head(const Kernels& kernels, const Head& head, Add add) {
  float* const keys = head.panels;
  float* const values = keys + rounded_up(head.tokens) * head.dim;
  kernels.pack_rows({.x = head.k, .rows = head.tokens, .cols = head.dim, .panels = keys});
  kernels.pack_columns({.x = head.v, .rows = head.tokens, .cols = head.dim, .panels = values});
  const Rows scores = {head.scores, head.tokens};
  float* const result = head.scores + kQueryBlock * head.tokens;
  const float scale = 1 / std::sqrt(static_cast<float>(head.dim));
  for (size_t first = 0; first < head.queries; first += kQueryBlock) {
    const size_t rows = std::min(kQueryBlock, head.queries - first);
    multiply(kernels, head.q.from_row(first), rows, {keys, head.tokens, head.dim}, scores.data);
    for (float& score : std::span(scores.data, rows * head.tokens)) score *= scale;
    add(first, rows, scores);
    kernels.softmax_rows({.x = scores, .rows = rows, .cols = head.tokens});
    multiply(kernels, scores, rows, {values, head.dim, head.tokens}, result);
    for (size_t i = 0; i < rows; ++i) std::copy_n(result + i * head.dim, head.dim, head.y.row(first + i));
  }
}

Status reserve(AlignedBuffer<float>& buffer, uint64_t values) {
  if (buffer.size() >= values) return {};
  return buffer.resize_uninitialized(values);
}

// Rows of scores of the queries from `first` on. Their exponentials are zero next to any other.
void hide_later_keys(size_t first, size_t rows, Rows scores, size_t tokens) {
  constexpr float kHidden = -1e30F;
  for (size_t i = 0; i < rows; ++i) {
    for (size_t key = first + i + 1; key < tokens; ++key) scores.row(i)[key] = kHidden;
  }
}

}  // namespace

Result<Map> attend(const Kernels& kernels, const Map& qkv, const Node& node, AttentionScratch& scratch) {
  const size_t width = qkv.channels / 3, dim = width / node.heads;
  const bool is_probe = node.mask == AttentionMask::probe;
  const size_t first_key = is_probe ? 1 : 0, tokens = qkv.width - first_key, queries = is_probe ? 1 : tokens;
  QUINTET_TRY(Map y, Map::make(1, queries, width, 0));
  const uint64_t panels = Head::panel_values(tokens, dim), scores = Head::score_values(tokens, dim);
  QUINTET_CHECK(reserve(scratch.panels, panels * thread_count()));
  QUINTET_CHECK(reserve(scratch.scores, scores * thread_count()));
  const ConstRows rows = {qkv.pixel(0), qkv.channels};
  parallel_for(node.heads, [&](size_t head, size_t thread) {
    const ConstRows q = rows.from_column(head * dim), keys = q.from_row(first_key);
    attend_head(kernels,
                {.q = q,
                 .k = keys.from_column(width),
                 .v = keys.from_column(2 * width),
                 .y = {y.pixel(0) + head * dim, y.channels},
                 .tokens = tokens,
                 .dim = dim,
                 .queries = queries,
                 .panels = scratch.panels.data() + thread * panels,
                 .scores = scratch.scores.data() + thread * scores},
                [&](size_t first, size_t count, Rows all) {
                  if (node.mask == AttentionMask::causal) hide_later_keys(first, count, all, tokens);
                });
  });
  return y;
}

namespace {

// The windows of a map that is filled up to whole windows and then shifted, around its edges, to the left and up.
class WindowedMap {
 public:
  WindowedMap(const Map& x, const Node& node) : x_(x) {
    // A map that is no larger than a window has one window, which is not shifted.
    const bool is_one = std::min(x.height, x.width) <= node.side;
    side_ = is_one ? std::min(x.height, x.width) : node.side;
    shift_ = is_one ? 0 : node.shift;
    height_ = (x.height + side_ - 1) / side_ * side_;
    width_ = (x.width + side_ - 1) / side_ * side_;
  }

  size_t side() const { return side_; }
  size_t tokens() const { return side_ * side_; }
  size_t windows() const { return height_ / side_ * (width_ / side_); }

  // The pixel of the map at a place of a window; none: filled up.
  std::optional<size_t> pixel(size_t window, size_t token) const {
    const auto [row, column] = place(window, token);
    const size_t y = (row + shift_) % height_, x = (column + shift_) % width_;
    if (y >= x_.height || x >= x_.width) return std::nullopt;
    return y * x_.width + x;
  }
  // Tokens of a window that come from different edges of the map do not see each other.
  uint32_t region(size_t window, size_t token) const {
    const auto [row, column] = place(window, token);
    return 3 * part(row, height_) + part(column, width_);
  }
  bool is_shifted() const { return shift_ != 0; }

 private:
  struct Place {
    size_t row, column;
  };
  Place place(size_t window, size_t token) const {
    const size_t in_row = width_ / side_;
    return {window / in_row * side_ + token / side_, window % in_row * side_ + token % side_};
  }
  uint32_t part(size_t place, size_t length) const {
    return place < length - side_ ? 0 : place < length - shift_ ? 1 : 2;
  }

  const Map& x_;
  size_t side_, shift_, height_, width_;
};

}  // namespace

Result<Map> attend_in_windows(const Kernels& kernels, const Map& qkv, const Node& node, std::span<const float> table,
                              std::span<const float> padding, AttentionScratch& scratch) {
  const WindowedMap windows(qkv, node);
  const size_t tokens = windows.tokens(), side = windows.side(), width = qkv.channels / 3, dim = width / node.heads;
  if (side != node.side) {
    return input_error(Reason::out_of_range, "the image is too small: {} patches are left for a window of {}", side,
                       node.side);
  }
  QUINTET_TRY(Map y, Map::make(qkv.height, qkv.width, width, 0));
  const uint64_t panels = Head::panel_values(tokens, dim), scores = Head::score_values(tokens, dim);
  const uint64_t of_window = uint64_t{tokens} * 4 * width;
  QUINTET_CHECK(reserve(scratch.panels, panels * thread_count()));
  QUINTET_CHECK(reserve(scratch.scores, scores * thread_count()));
  QUINTET_CHECK(reserve(scratch.window, of_window * thread_count()));
  const size_t distances = 2 * side - 1;
  parallel_for(windows.windows(), [&](size_t window, size_t thread) {
    float* const rows =
        scratch.window.data() + thread * of_window;  // [tokens][3 width], then the result [tokens][width]
    float* const result = rows + tokens * 3 * width;
    for (size_t token = 0; token < tokens; ++token) {
      const std::optional<size_t> pixel = windows.pixel(window, token);
      std::copy_n(pixel ? qkv.pixel(*pixel) : padding.data(), 3 * width, rows + token * 3 * width);
    }
    for (size_t head = 0; head < node.heads; ++head) {
      const ConstRows q = {rows + head * dim, 3 * width};
      const auto add = [&](size_t first, size_t count, Rows all) {
        for (size_t i = 0; i < count; ++i) {
          const size_t query = first + i;
          float* const row = all.row(i);
          for (size_t key = 0; key < tokens; ++key) {
            const size_t down = query / side + side - 1 - key / side, right = query % side + side - 1 - key % side;
            row[key] += table[(down * distances + right) * node.heads + head];
            const bool sees = !windows.is_shifted() || windows.region(window, query) == windows.region(window, key);
            if (!sees) row[key] -= 100;
          }
        }
      };
      attend_head(kernels,
                  {.q = q,
                   .k = q.from_column(width),
                   .v = q.from_column(2 * width),
                   .y = {result + head * dim, width},
                   .tokens = tokens,
                   .dim = dim,
                   .queries = tokens,
                   .panels = scratch.panels.data() + thread * panels,
                   .scores = scratch.scores.data() + thread * scores},
                  add);
    }
    for (size_t token = 0; token < tokens; ++token) {
      const std::optional<size_t> pixel = windows.pixel(window, token);
      if (pixel) std::copy_n(result + token * width, width, y.pixel(*pixel));
    }
  });
  return y;
}

}  // namespace quintet::vision
