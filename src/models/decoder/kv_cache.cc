#include "models/decoder/kv_cache.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "architectures/decoder/tensor_names.h"
#include "base/aligned_buffer.h"
#include "base/checked.h"
#include "models/decoder/delta_net.h"

namespace quintet::decoder {
namespace {

using Part = KvCache::Part;

// A page is [layers of the group][kv_heads][keys, values][kPagePositions] rows. The bytes of a head at one position:
uint64_t bytes_of_head(const KvCache::Shape& shape, size_t layer) {
  return uint64_t{shape.row_of(layer, Part::key).bytes} + shape.row_of(layer, Part::value).bytes;
}

size_t page_of(size_t position) { return position / KvCache::kPagePositions; }

// A model has recurrent layers of one kind.
RecurrentState::Sizes state_sizes(const DecoderConfig& config) {
  const LayerSet& recurrent = config.recurrent_layers();
  RecurrentState::Sizes sizes = {.layers = static_cast<size_t>(std::ranges::count(recurrent, true))};
  if (config.has_mamba()) {
    sizes.inputs = static_cast<size_t>(config.mamba_kernel) - 1;
    sizes.channels = static_cast<size_t>(size_of(Dim::mamba_channels, config, 0));
    sizes.values = static_cast<size_t>(config.mamba_inner * config.mamba_state);
  } else if (config.has_delta_net()) {
    const DeltaNetSizes delta(config);
    sizes.inputs = delta.kernel - 1;
    sizes.channels = delta.channels();
    sizes.values = delta.value_heads * delta.head_state();
  } else if (config.has_convolutions()) {
    sizes.inputs = static_cast<size_t>(config.convolution_length) - 1;
    sizes.channels = static_cast<size_t>(config.n_embd);
  }
  return sizes;
}

}  // namespace

struct KvCache::Page {
  AlignedBuffer<std::byte> rows;
};

size_t KvCache::Shape::own_layers() const {
  size_t own = layers;
  while (own != 0 && source_of(own - 1) < own - 1) --own;
  return own;
}

size_t KvCache::Shape::common_head_dim() const {
  size_t common = 0;
  for (size_t layer = 0; layer < layers; ++layer) {
    // Euclid's algorithm.
    for (size_t rest = has_rows(layer) ? row_of(layer, Part::key).head_dim : 0; rest != 0;) {
      common = std::exchange(rest, common % rest);
    }
  }
  return common;
}

KvCache::KvCache(const Shape& shape) : shape_(shape), groups_(groups_of(shape, &places_)) {}

std::vector<KvCache::Group> KvCache::groups_of(const Shape& shape, std::vector<Place>* places) {
  std::vector<Group> groups;
  size_t states = 0;
  for (size_t layer = 0; layer < shape.layers; ++layer) {
    Place place;
    place.state = states;
    states += contains(shape.recurrent_layers, layer);
    if (const size_t source = shape.source_of(layer); source < layer) {
      if (places != nullptr) place = (*places)[source];
    } else if (shape.has_rows(layer)) {
      const size_t window = shape.window_of(layer);
      auto group = std::ranges::find_if(groups, [&](const Group& other) {
        return other.window == window &&
               contains(shape.local_layers, other.first_layer) == contains(shape.local_layers, layer);
      });
      if (group == groups.end()) group = groups.insert(group, Group{.window = window, .first_layer = layer});
      place.group = static_cast<size_t>(group - groups.begin());
      place.index = group->layers++;
    }
    if (places != nullptr) places->push_back(place);
  }
  return groups;
}

uint64_t KvCache::page_bytes(const Shape& shape, const Group& group) {
  const uint64_t positions = kPagePositions * uint64_t{group.layers};
  const size_t layer = group.first_layer;  // all of a group have the same sizes
  const uint64_t of_position = checked_mul(shape.kv_heads_of(layer), bytes_of_head(shape, layer)).value_or(UINT64_MAX);
  return checked_mul(positions, of_position).value_or(UINT64_MAX);
}

size_t KvCache::first(size_t layer) const { return group_of(layer).first_page * kPagePositions; }

size_t KvCache::bytes() const {
  size_t bytes = checkpoints_.bytes();
  if (state_ && state_ != checkpoints_.at(length_)) bytes += state_->bytes();
  if (next_state_) bytes += next_state_->bytes();
  for (const Group& group : groups_) {
    for (const auto& page : group.pages) bytes += page ? page->rows.capacity() : 0;
  }
  return bytes;
}

uint64_t KvCache::row_bytes() const {
  uint64_t bytes = 0;
  for (const Group& group : groups_) bytes += page_bytes(shape_, group) / kPagePositions * length_;
  return bytes;
}

uint64_t KvCache::bytes_for(const Shape& shape, size_t positions) {
  if (positions == 0) return 0;
  uint64_t bytes = checked_add(2 * shape.state.bytes(), max_checkpoint_bytes(shape, positions)).value_or(UINT64_MAX);
  for (const Group& group : groups_of(shape, nullptr)) {
    // A window and the extension after it may start and end anywhere in a page.
    uint64_t pages = (uint64_t{positions} + kPagePositions - 1) / kPagePositions;
    if (group.window != 0) {
      pages = std::min(pages, (uint64_t{group.window} + kMaxExtension) / kPagePositions + 2);
    }
    const uint64_t of_group = checked_mul(pages, page_bytes(shape, group)).value_or(UINT64_MAX);
    bytes = checked_add(bytes, of_group).value_or(UINT64_MAX);
  }
  return bytes;
}

std::shared_ptr<KvCache::Page> KvCache::own_page(const Group& group, const Page* shared) const {
  auto page = std::make_shared<Page>();
  if (!page->rows.resize_uninitialized(page_bytes(shape_, group))) return nullptr;
  if (shared != nullptr) std::memcpy(page->rows.data(), shared->rows.data(), page->rows.size());
  return page;
}

Result<std::vector<std::shared_ptr<KvCache::Page>>> KvCache::own_pages(const Group& group, size_t begin,
                                                                       size_t end) const {
  std::vector<std::shared_ptr<Page>> own;
  for (size_t p = begin; p < end; ++p) {
    const std::shared_ptr<Page> present = p < group.pages.size() ? group.pages[p] : nullptr;
    // Two owners: this variable and the group's pages. A fork would be a third.
    const bool is_own = present && present.use_count() == 2;
    own.push_back(is_own ? present : own_page(group, present.get()));
    if (!own.back()) return memory_error(page_bytes(shape_, group));
  }
  return own;
}

Status KvCache::extend(size_t count) {
  if (count == 0) return {};
  const size_t begin = page_of(length_);
  const size_t end = page_of(length_ + count - 1) + 1;
  std::vector<std::vector<std::shared_ptr<Page>>> own;
  for (const Group& group : groups_) {
    QUINTET_TRY(auto pages, own_pages(group, begin, end));
    own.push_back(std::move(pages));
  }
  if (shape_.state.exist()) QUINTET_CHECK(prepare_next_state());
  for (size_t i = 0; i < groups_.size(); ++i) {
    std::vector<std::shared_ptr<Page>>& pages = groups_[i].pages;
    pages.resize(std::max(pages.size(), end));
    std::ranges::move(own[i], pages.begin() + static_cast<ptrdiff_t>(begin));
  }
  return {};
}

KvCache KvCache::take_extension() {
  KvCache extension = *this;
  next_state_.reset();
  return extension;
}

Status KvCache::prepare_next_state() {
  if (!next_state_) next_state_ = RecurrentState::create(shape_.state);
  if (!next_state_) return memory_error(shape_.state.bytes());
  if (state_) {
    next_state_->assign_inputs(*state_);
  } else {
    next_state_->clear();
  }
  return {};
}

KvCache KvCache::fork() const {
  KvCache fork = *this;
  fork.next_state_.reset();
  return fork;
}

Result<KvCache> KvCache::with_positions(const Shape& shape, size_t positions) {
  KvCache cache(shape);
  cache.length_ = positions;
  for (Group& group : cache.groups_) {
    group.first_page = page_of(first_in_window(positions, group.window));
    group.pages.resize(page_of(positions + kPagePositions - 1));
    for (size_t p = group.first_page; p < group.pages.size(); ++p) {
      group.pages[p] = cache.own_page(group, nullptr);
      if (!group.pages[p]) return memory_error(bytes_for(shape, positions));
    }
  }
  return cache;
}

size_t KvCache::row_offset(size_t layer, size_t kv_head, Part part, size_t position) const {
  const size_t heads_before = places_[layer].index * shape_.kv_heads_of(layer) + kv_head;
  const size_t of_head = heads_before * static_cast<size_t>(bytes_of_head(shape_, layer)) * kPagePositions;
  const size_t of_part = part == Part::value ? shape_.row_of(layer, Part::key).bytes * kPagePositions : 0;
  return of_head + of_part + position % kPagePositions * shape_.row_of(layer, part).bytes;
}

bool KvCache::write(size_t layer, size_t position, const float* keys, const float* values) {
  std::byte* page = group_of(layer).pages[page_of(position)]->rows.data();
  bool is_held = true;
  for (const Part part : {Part::key, Part::value}) {
    const KvRowLayout& row = shape_.row_of(layer, part);
    for (size_t head = 0; head < shape_.kv_heads_of(layer); ++head) {
      const float* of_head = (part == Part::key ? keys : values) + head * row.head_dim;
      is_held = is_held && kv_row_holds(row, of_head);
      encode_kv_row(row, of_head, page + row_offset(layer, head, part, position));
    }
  }
  return is_held;
}

const std::byte* KvCache::row(size_t layer, size_t kv_head, Part part, size_t position) const {
  const Page* page = group_of(layer).pages[page_of(position)].get();
  if (page == nullptr) return nullptr;
  return page->rows.data() + row_offset(layer, kv_head, part, position);
}

std::byte* KvCache::row(size_t layer, size_t kv_head, Part part, size_t position) {
  return const_cast<std::byte*>(std::as_const(*this).row(layer, kv_head, part, position));
}

void KvCache::commit(size_t count) {
  length_ += count;
  if (next_state_) {
    // The memory of the old state is that of the next one, unless a checkpoint or a fork has it.
    auto old = std::const_pointer_cast<RecurrentState>(std::exchange(state_, std::move(next_state_)));
    next_state_ = old.use_count() == 1 ? std::move(old) : nullptr;
  }
  for (Group& group : groups_) {
    for (const size_t seen = page_of(first_in_window(length_, group.window)); group.first_page < seen;) {
      group.pages[group.first_page++].reset();
    }
  }
}

KvCache::Run KvCache::run_at(size_t layer, size_t kv_head, size_t position, size_t end) const {
  const size_t page_end = (page_of(position) + 1) * kPagePositions;
  const Page& page = *group_of(layer).pages[page_of(position)];
  return {.begin = position,
          .count = std::min(end, page_end) - position,
          .keys = page.rows.data() + row_offset(layer, kv_head, Part::key, position),
          .values = page.rows.data() + row_offset(layer, kv_head, Part::value, position)};
}

Status KvCache::rewind(size_t length) {
  if (length > length_) {
    return input_error(Reason::out_of_range, "cannot rewind to {} of {} positions", length, length_);
  }
  for (const Group& group : groups_) {
    // The first position sees nothing before it.
    if (length != 0 && first_in_window(length, group.window) < group.first_page * kPagePositions) {
      return input_error(Reason::out_of_range,
                         "cannot rewind to position {}: the sliding window no longer contains what it needs", length);
    }
  }
  if (shape_.state.exist() && length != length_) {
    auto state = checkpoints_.at(length);
    if (length != 0 && !state) {
      return input_error(Reason::out_of_range,
                         "cannot rewind to position {}: the state of the recurrent layers is that of a later position",
                         length);
    }
    state_ = std::move(state);
    checkpoints_.drop_after(length);
  }
  length_ = length;
  for (Group& group : groups_) {
    group.pages.resize(page_of(length + kPagePositions - 1));
    if (length == 0) group.first_page = 0;
  }
  return {};
}

void KvCache::keep_checkpoint(size_t context) {
  if (!state_) return;
  checkpoints_.add(length_, state_);
  drop_checkpoints(max_checkpoint_bytes(shape_, context));
}

void KvCache::restore_checkpoint(size_t length, std::shared_ptr<const RecurrentState> state) {
  if (length == length_) state_ = state;
  checkpoints_.add(length, std::move(state));
}

void KvCache::drop_checkpoints(uint64_t max_bytes) {
  if (!shape_.state.exist()) return;
  checkpoints_.drop_to(std::max(size_t{1}, static_cast<size_t>(max_bytes / shape_.state.bytes())));
}

// One for every 64 positions on average, and no more than a small part of the memory of a page, but always two.
uint64_t KvCache::max_checkpoint_bytes(const Shape& shape, size_t context) {
  constexpr uint64_t kPositions = 64, kMaxBytes = uint64_t{64} << 20;
  const uint64_t of_one = shape.state.bytes();
  const uint64_t all = checked_mul(context / kPositions + 2, of_one).value_or(UINT64_MAX);
  const uint64_t two = checked_mul(2, of_one).value_or(UINT64_MAX);
  return std::max(two, std::min(all, kMaxBytes));
}

Result<KvCache::Shape> kv_cache_shape(const DecoderConfig& config, const KvTypes& types) {
  const auto head_dim = static_cast<size_t>(config.head_dim);
  const auto local_head_dim = config.local_head_dim == 0 ? head_dim : static_cast<size_t>(config.local_head_dim);
  QUINTET_TRY(const KvRowLayout row, kv_row_layout(types.keys, head_dim));
  QUINTET_TRY(const KvRowLayout local_row, kv_row_layout(types.keys, local_head_dim));
  QUINTET_TRY(const KvRowLayout value_row, kv_row_layout(types.values, head_dim));
  QUINTET_TRY(const KvRowLayout local_value_row, kv_row_layout(types.values, local_head_dim));
  const uint64_t local_kv_heads = config.local_kv_heads == 0 ? config.n_kv_heads : config.local_kv_heads;
  LayerSet local_layers;
  std::vector<size_t> sources;
  for (size_t layer = 0; layer < config.n_layers; ++layer) {
    if (config.has_local_sizes()) local_layers.push_back(config.window_of(layer) != 0);
    if (config.n_shared_kv_layers != 0) sources.push_back(config.kv_source_of(layer).value_or(layer));
  }
  KvCache::Shape shape = {.layers = static_cast<size_t>(config.n_layers),
                          .kv_heads = static_cast<size_t>(config.n_kv_heads),
                          .row = row,
                          .local_kv_heads = static_cast<size_t>(local_kv_heads),
                          .local_row = local_row,
                          .value_row = value_row,
                          .local_value_row = local_value_row,
                          .local_layers = std::move(local_layers),
                          .sources = std::move(sources),
                          .window = static_cast<size_t>(config.sliding_window),
                          .full_attention_layers = config.full_attention_layers,
                          .recurrent_layers = config.recurrent_layers(),
                          .state = state_sizes(config)};
  shape.layers_without_rows.resize(shape.recurrent_layers.empty() && shape.sources.empty() ? 0 : shape.layers);
  for (size_t layer = 0; layer < shape.layers_without_rows.size(); ++layer) {
    shape.layers_without_rows[layer] = !config.has_attention(layer) || !config.has_own_kv(layer);
  }
  return shape;
}

}  // namespace quintet::decoder
