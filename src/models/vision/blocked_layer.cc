#include "models/vision/blocked_layer.h"

namespace quintet::vision {
namespace {

// Number of items per block if `count` items of `bytes` each are divided into equal blocks of at most `most_bytes`; at
// least one.
size_t equal_block(size_t count, size_t bytes, size_t max_bytes) {
  const size_t max = bytes == 0 ? count : std::max<size_t>(max_bytes / bytes, 1);
  const size_t blocks = (count + max - 1) / max;
  return (count + blocks - 1) / blocks;
}

template <class T>
Result<T*> room(AlignedBuffer<T>& buffer, uint64_t count) {
  return ConvolutionScratch<T>::room(buffer, count);
}

class BlockedPass {
 public:
  BlockedPass(const BlockedLayer& layer, BlockedScratch& scratch)
      : layer_(layer), work_(layer.work()), scratch_(scratch) {}

  Status apply() {
    return panels_at_once_ == work_.layer.panels && !work_.layer.has_more_weights() ? share_windows() : share_panels();
  }

 private:
  Status share_windows();
  Status share_panels();
  void prepare_windows(size_t begin, size_t end, std::byte* windows, float* scales) const;

  const BlockedLayer& layer_;
  const BlockedWork& work_;
  BlockedScratch& scratch_;
  size_t groups_at_once_ = equal_block(work_.groups(), work_.group_bytes, work_.max_window_bytes);
  size_t panels_at_once_ = equal_block(work_.layer.panels, work_.panel_bytes, work_.max_panel_bytes);
};

// Prepares all panels once; each thread prepares a block of windows at a time.
Status BlockedPass::share_windows() {
  const size_t block_bytes = groups_at_once_ * work_.group_bytes, scale_count = groups_at_once_ * work_.group_scales;
  QUINTET_TRY(std::byte* const panels, room(scratch_.panels, uint64_t{work_.layer.panels} * work_.panel_bytes));
  QUINTET_TRY(std::byte* const blocks, room(scratch_.windows, uint64_t{thread_count()} * block_bytes));
  QUINTET_TRY(float* const scale_blocks, room(scratch_.scales, uint64_t{thread_count()} * scale_count));
  const PanelPartition panel_shares(work_.layer.panels, work_.layer.panel_values / kPanelRows);
  parallel_for(panel_shares.parts(), [&](size_t part, size_t) {
    const size_t begin = panel_shares.begin(part);
    layer_.prepare_panels(begin, panel_shares.end(part), panels + begin * work_.panel_bytes);
  });
  const Partition shares =
      shares_of(work_.groups(), uint64_t{work_.windows_in_group} * work_.layer.panels * work_.layer.panel_values);
  parallel_for(shares.parts, [&](size_t part, size_t thread) {
    std::byte* const block = blocks + thread * block_bytes;
    float* const scales = scale_blocks + thread * scale_count;
    const size_t end = shares.end(part);
    for (size_t group = shares.begin(part), next; group < end; group = next) {
      next = std::min(group + groups_at_once_, end);
      const ConvTile tile = {work_.first_window(group), work_.first_window(next), 0, work_.layer.panels};
      layer_.prepare_windows(tile.begin, tile.end, block, scales);
      layer_.multiply(block, scales, panels, tile);
    }
  });
  return {};
}

// Prepares a block of windows at a time; each thread prepares a block of panels for it.
Status BlockedPass::share_panels() {
  const size_t block_bytes = panels_at_once_ * work_.panel_bytes;
  QUINTET_TRY(std::byte* const windows, room(scratch_.windows, uint64_t{groups_at_once_} * work_.group_bytes));
  QUINTET_TRY(float* const scales, room(scratch_.scales, uint64_t{groups_at_once_} * work_.group_scales));
  QUINTET_TRY(std::byte* const blocks, room(scratch_.panels, uint64_t{thread_count()} * block_bytes));
  for (size_t begin = 0, end; begin < work_.groups(); begin = end) {
    end = std::min(begin + groups_at_once_, work_.groups());
    prepare_windows(begin, end, windows, scales);
    const size_t first = work_.first_window(begin), last = work_.first_window(end);
    const PanelPartition shares(work_.layer.panels, uint64_t{last - first} * work_.layer.panel_values);
    parallel_for(shares.parts(), [&](size_t part, size_t thread) {
      std::byte* const panels = blocks + thread * block_bytes;
      const size_t panel_end = shares.end(part);
      for (size_t panel = shares.begin(part), next; panel < panel_end; panel = next) {
        next = std::min(panel + panels_at_once_, panel_end);
        layer_.prepare_panels(panel, next, panels);
        layer_.multiply(windows, scales, panels, {first, last, panel, next});
      }
    });
  }
  return {};
}

void BlockedPass::prepare_windows(size_t begin, size_t end, std::byte* windows, float* scales) const {
  if (work_.group_bytes == 0) return;
  const Partition shares = shares_of(end - begin, work_.group_bytes * work_.window_cost);
  parallel_for(shares.parts, [&](size_t part, size_t) {
    const size_t group = shares.begin(part);
    layer_.prepare_windows(work_.first_window(begin + group), work_.first_window(begin + shares.end(part)),
                           windows + group * work_.group_bytes, scales + group * work_.group_scales);
  });
}

}  // namespace

Status convolve(const BlockedLayer& layer, BlockedScratch& scratch) { return BlockedPass(layer, scratch).apply(); }

}  // namespace quintet::vision
