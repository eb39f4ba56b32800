#include "runtime/generation/warm_up.h"

#include <algorithm>
#include <vector>

namespace quintet {
namespace {

// A step takes about 10 ms at most.
void compute(GenerationSession& session, std::span<const uint32_t> ids, int most_steps) {
  auto left = session.begin(ids, false);
  for (int step = 0; left && *left != 0 && step < most_steps; ++step) left = session.step();
  session.cancel();
}

}  // namespace

void warm_up(GenerationSession& session) {
  constexpr size_t kPrompt = 16;
  constexpr int kTokens = 4;
  constexpr uint32_t kAnyId = 0;
  compute(session, std::vector<uint32_t>(kPrompt, kAnyId), 4);
  for (int i = 0; i < kTokens; ++i) compute(session, {&kAnyId, 1}, 1);
}

}  // namespace quintet
