#pragma once
// States of recurrent layers at the lengths to which a cache can go back.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "models/decoder/recurrent_state.h"

namespace quintet::decoder {

class Checkpoints {
 public:
  struct Checkpoint {
    size_t length = 0;
    std::shared_ptr<const RecurrentState> state;
  };

  // Ascending.
  const std::vector<Checkpoint>& all() const { return all_; }
  // Null if there is none at this length.
  std::shared_ptr<const RecurrentState> at(size_t length) const;
  // The greatest length up to `length`, or 0, where no state is needed.
  size_t before(size_t length) const;
  size_t bytes() const;

  // Its length must be at least that of all others.
  void add(size_t length, std::shared_ptr<const RecurrentState> state);
  // Drops the checkpoints above `length`.
  void drop_after(size_t length);
  // Until no more than `max` are left. The last ones stay, since a conversation mostly goes back to them; of the
  // others those go first whose neighbors are the closest, so that what must be computed again stays even.
  void drop_to(size_t max);

 private:
  std::vector<Checkpoint> all_;
};

}  // namespace quintet::decoder
