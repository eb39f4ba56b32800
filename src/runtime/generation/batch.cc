#include "runtime/generation/batch.h"

#include <algorithm>
#include <utility>

#include "base/order.h"
#include "kernels/registry.h"

namespace quintet {

using decoder::Decoder;
using decoder::LogitsOf;
using decoder::Sequence;

Batch::Batch(std::shared_ptr<const GeneratorModel> model)
    : model_(std::move(model)), decoder_(model_->config, model_->weights, active_kernels<KernelSet::decoder>()) {}

void Batch::join(Member& member) { members_.push_back(&member); }

void Batch::leave(Member& member) {
  std::erase(members_, &member);
  const auto place = std::ranges::find(in_pass_, &member);
  if (place == in_pass_.end()) return;
  *place = nullptr;
  decoder_.give_up(static_cast<size_t>(place - in_pass_.begin()));
  if (std::ranges::count(in_pass_, nullptr) == std::ssize(in_pass_)) in_pass_.clear();
}

void Batch::step() {
  if (in_pass_.empty()) begin_pass();
  if (!in_pass_.empty() && decoder_.step()) end_pass();
}

// Members that want the least come first and leave the rest of their shares to the others.
void Batch::begin_pass() {
  struct Share {
    Member* member;
    Member::Waiting waiting;
    size_t wanted;
  };
  std::vector<Share> shares;
  for (Member* member : std::span(members_).first(std::min(members_.size(), Decoder::kMaxTokens))) {
    const Member::Waiting waiting = member->waiting();
    shares.push_back({member, waiting, std::min(waiting.ids.size(), waiting.max_tokens)});
  }
  std::rotate(members_.begin(), members_.begin() + std::ssize(shares), members_.end());
  heap_sort(shares, std::ranges::less(), &Share::wanted);

  std::vector<Sequence> sequences;
  size_t room = Decoder::kMaxTokens;
  for (const auto& [member, waiting, wanted] : shares) {
    const size_t count = std::min(wanted, room / (shares.size() - sequences.size()));
    const LogitsOf of_prompt = count == waiting.ids.size() ? LogitsOf::last : LogitsOf::none;
    sequences.push_back({.cache = waiting.cache,
                         .ids = waiting.ids.first(count),
                         .what = waiting.wants_all ? LogitsOf::all : of_prompt,
                         .adapters = waiting.adapters});
    in_pass_.push_back(member);
    room -= count;
  }
  decoder_.begin(sequences);
}

void Batch::end_pass() {
  const std::vector<Member*> in_pass = std::exchange(in_pass_, {});
  for (size_t i = 0; i < in_pass.size(); ++i) {
    Member* const member = in_pass[i];
    if (member == nullptr) continue;
    if (Status status = decoder_.status(i); status) {
      member->passed(decoder_.logits(i));
    } else {
      std::erase(members_, member);
      member->failed(failure_of(std::move(status)));
    }
  }
}

}  // namespace quintet
