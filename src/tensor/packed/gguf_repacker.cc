#include "tensor/packed/gguf_repacker.h"

#include <algorithm>
#include <atomic>
#include <span>
#include <vector>

#include "base/thread_pool.h"
#include "tensor/block_types.h"
#include "tensor/codecs/piecewise.h"
#include "tensor/packed/gguf_panel.h"

namespace quintet {
namespace {

// The values of some rows of one panel. Each thread has its own.
struct DecodedRows {
  std::vector<int8_t> q;               // [rows][cols]
  std::vector<float> scales, offsets;  // [rows][blocks]
  std::vector<uint16_t> units;         // [rows][super-blocks][of a row]
};

class GgufRepacker final : public PiecewiseReader {
 public:
  GgufRepacker(Scheme scheme, BlockMatrix& matrix)
      : layout_(layout_of(scheme)),
        decode_block_(block_decoder(scheme)),
        pack_panel_(gguf_panel_packer(scheme)),
        middle_(layout_.has_offsets ? 1 << (static_cast<int>(matrix.bits()) - 1) : 0),
        row_bytes_(matrix.cols() / layout_.values * layout_.bytes),
        matrix_(matrix) {}

 private:
  // The rows that are decoded together.
  size_t step_bytes() const override {
    return matrix_.appended_rows() == matrix_.rows() ? 0 : composed_rows(matrix_) * row_bytes_;
  }

  Result<size_t> take(Bytes bytes) override {
    const size_t first = matrix_.appended_rows(), rows = composed_rows(matrix_);
    // Only whole panels are independent of each other.
    const size_t steps =
        rows < kPanelRows ? 1 : std::min(bytes.size() / step_bytes(), (matrix_.rows() - first) / kPanelRows);
    QUINTET_CHECK(matrix_.extend(steps * rows));
    decoded_.resize(thread_count());
    for (DecodedRows& decoded : decoded_) make_room(rows, decoded);
    std::atomic<bool> finite = true;
    const Partition parts(steps, kMinPanels);
    parallel_for(parts.parts, [&](size_t part, size_t thread) {
      for (size_t step = parts.begin(part); step < parts.end(part); ++step) {
        const std::byte* const begin = bytes.data() + step * rows * row_bytes_;
        if (!put(first + step * rows, rows, begin, decoded_[thread])) finite = false;
      }
    });
    if (!finite) matrix_.set_infinite();
    return steps * rows * row_bytes_;
  }

  void make_room(size_t rows, DecodedRows& decoded) const {
    decoded.q.resize(rows * matrix_.cols());
    decoded.scales.resize(rows * matrix_.blocks());
    if (layout_.has_offsets) decoded.offsets.resize(decoded.scales.size());
    if (has_units()) decoded.units.resize(rows * matrix_.cols() / layout_.values * matrix_.unit_count());
  }

  bool put(size_t first, size_t rows, const std::byte* bytes, DecodedRows& decoded) {
    if (pack_panel_ != nullptr && rows == kPanelRows) {
      return pack_panel_(bytes, row_bytes_, matrix_, matrix_.panel(first / kPanelRows));
    }
    BlockValues block;
    block.q = decoded.q.data();
    const size_t groups = layout_.values / layout_.group;
    for (size_t at = 0; at < decoded.scales.size(); at += groups, bytes += layout_.bytes, block.q += layout_.values) {
      decode_block_(bytes, block);
      std::copy_n(block.scales.data(), groups, decoded.scales.data() + at);
      if (middle_ != 0) put_around_zero(block, std::span(decoded.offsets).subspan(at, groups));
      if (has_units()) {
        uint16_t* const units = decoded.units.data() + at / groups * matrix_.unit_count();
        units[0] = block.unit;
        if (layout_.has_offsets) units[1] = block.offset_unit;
      }
    }
    return matrix_.put_rows(first, rows, decoded.q, decoded.scales, decoded.offsets, decoded.units);
  }

  // With offsets, q is unsigned; in a matrix it is around 0.
  void put_around_zero(const BlockValues& block, std::span<float> offsets) const {
    // Kept here, because as far as a compiler knows, writing a value could change it.
    const int middle = middle_;
    for (int8_t& value : std::span(block.q, layout_.values)) value = static_cast<int8_t>(value - middle);
    for (size_t group = 0; group < offsets.size(); ++group) {
      // In super-blocks the offset stays: it is the kernels' business that values are unsigned.
      const float moved = has_units() ? 0 : static_cast<float>(middle) * block.scales[group];
      offsets[group] = block.offsets[group] + moved;
    }
  }

  bool has_units() const { return matrix_.layout().has_super_blocks(); }

  // The minimum size of a part of the work: a smaller one takes no longer than waking a thread.
  static constexpr size_t kMinPanels = 4;

  const BlockLayout layout_;
  DecodeBlock* decode_block_;
  PackGgufPanel* pack_panel_;
  int middle_;
  size_t row_bytes_;
  BlockMatrix& matrix_;
  std::vector<DecodedRows> decoded_;  // for each thread
};

}  // namespace

std::unique_ptr<ByteSink> make_gguf_repacker(Scheme scheme, BlockMatrix& matrix) {
  return std::make_unique<GgufRepacker>(scheme, matrix);
}

}  // namespace quintet
