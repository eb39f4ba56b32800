#pragma once
// The sequences of one model, which compute at the same time. Each pass over the weights advances all of them: those
// that generate by one token, and prompts by equal shares of the remaining room. Each computes the same bits as alone.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/result.h"
#include "models/decoder/decoder.h"
#include "runtime/generation/generator_model.h"

namespace quintet {

class Batch {
 public:
  // A sequence that computes.
  class Member {
   public:
    // The tokens that are still to be computed, after those in the cache.
    struct Waiting {
      decoder::KvCache* cache;
      std::span<const uint32_t> ids;
      size_t max_tokens;  // of a pass
      bool wants_all;     // logits of all positions, or of the last one
      const decoder::Adapters* adapters;
    };

    virtual Waiting waiting() = 0;
    // After a pass with some of the tokens: their logits are valid until the next one begins. A member without further
    // tokens leaves.
    virtual void passed(std::span<const float> logits) = 0;
    // It was removed, and nothing of the pass is in its cache.
    virtual void failed(Failure failure) = 0;

   protected:
    ~Member() = default;
  };

  explicit Batch(std::shared_ptr<const GeneratorModel> model);

  const std::shared_ptr<const GeneratorModel>& model() const { return model_; }

  // Takes part from the next pass on.
  void join(Member& member);
  // Its cache is as before the current pass, and may change. Does nothing for others than members.
  void leave(Member& member);
  // Computes for a few milliseconds, if there are members.
  void step();

 private:
  void begin_pass();
  void end_pass();

  std::shared_ptr<const GeneratorModel> model_;
  decoder::Decoder decoder_;
  std::vector<Member*> members_;  // those that have waited longest first
  std::vector<Member*> in_pass_;  // null: it has left
};

}  // namespace quintet
