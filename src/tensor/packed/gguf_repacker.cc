#include <algorithm>

#include "tensor/codecs/gguf_split.h"
#include "tensor/codecs/piecewise_reader.h"
#include "tensor/packed/block_rows.h"
#include "tensor/packed/family_repackers.h"

namespace quintet {
namespace {

class GgufRepacker final : public Repacker, private PiecewiseReader {
 public:
  GgufRepacker(Scheme scheme, BlockMatrix& matrix)
      : type_(gguf_type(scheme)),
        middle_(type_.has_minimums ? 1 << (type_.bits - 1) : 0),
        blocks_left_(uint64_t{matrix.rows()} * matrix.cols() / type_.values),
        rows_(matrix) {}

  Status write(Bytes piece) override { return read(piece); }
  Status finish() override { return read_end(); }

 private:
  size_t step_bytes() const override { return blocks_left_ == 0 ? 0 : type_.bytes; }

  Result<size_t> take(Bytes bytes) override {
    const size_t blocks = static_cast<size_t>(std::min<uint64_t>(bytes.size() / type_.bytes, blocks_left_));
    for (size_t i = 0; i < blocks; ++i) {
      type_.split(bytes.data() + i * type_.bytes, parts_);
      QUINTET_CHECK(put_block());
    }
    blocks_left_ -= blocks;
    return blocks * type_.bytes;
  }

  // Where there are minimums, q counts from 0 on; in a matrix it lies around 0.
  Status put_block() {
    const auto q = std::span(parts_.q).first(type_.values);
    for (int8_t& value : q) value = static_cast<int8_t>(value - middle_);
    for (size_t group = 0; group < type_.values / type_.group; ++group) {
      const float scale = parts_.scales[group];
      const float minimum = type_.has_minimums ? parts_.minimums[group] + static_cast<float>(middle_) * scale : 0;
      QUINTET_CHECK(rows_.put(q.subspan(group * type_.group, type_.group), scale, minimum));
    }
    return {};
  }

  const GgufType& type_;
  int middle_;
  uint64_t blocks_left_;
  BlockRows rows_;
  GgufBlock parts_;
};

}  // namespace

std::unique_ptr<Repacker> make_gguf_repacker(Scheme scheme, BlockMatrix& matrix) {
  return std::make_unique<GgufRepacker>(scheme, matrix);
}

}  // namespace quintet
