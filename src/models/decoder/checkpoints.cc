#include "models/decoder/checkpoints.h"

#include <algorithm>
#include <utility>

namespace quintet::decoder {

std::shared_ptr<const RecurrentState> Checkpoints::at(size_t length) const {
  const auto found = std::ranges::find(all_, length, &Checkpoint::length);
  return found == all_.end() ? nullptr : found->state;
}

size_t Checkpoints::before(size_t length) const {
  const auto after = std::ranges::upper_bound(all_, length, {}, &Checkpoint::length);
  return after == all_.begin() ? 0 : std::prev(after)->length;
}

size_t Checkpoints::bytes() const {
  size_t bytes = 0;
  for (const Checkpoint& each : all_) bytes += each.state->bytes();
  return bytes;
}

void Checkpoints::add(size_t length, std::shared_ptr<const RecurrentState> state) {
  if (all_.empty() || all_.back().length != length) all_.push_back({length, std::move(state)});
}

void Checkpoints::drop_after(size_t length) {
  std::erase_if(all_, [=](const Checkpoint& each) { return each.length > length; });
}

void Checkpoints::drop_to(size_t max) {
  constexpr size_t kLast = 2;
  while (all_.size() > max) {
    size_t best = 0, closest = SIZE_MAX;
    for (size_t i = 0; i + std::min(kLast, max) < all_.size(); ++i) {
      const size_t distance = all_[std::min(i + 1, all_.size() - 1)].length - (i == 0 ? 0 : all_[i - 1].length);
      if (distance < closest) best = i;
      closest = std::min(closest, distance);
    }
    all_.erase(all_.begin() + static_cast<ptrdiff_t>(best));
  }
}

}  // namespace quintet::decoder
