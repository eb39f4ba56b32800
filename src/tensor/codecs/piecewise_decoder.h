#pragma once
// What most decoders share: steps of a payload in, their values out.

#include "tensor/codecs/payload.h"
#include "tensor/codecs/piecewise_reader.h"

namespace quintet {

class PiecewiseDecoder : public PayloadDecoder, protected PiecewiseReader {
 public:
  Status write(Bytes piece, std::vector<float>& values) final {
    values_ = &values;
    return read(piece);
  }
  Status finish() final { return read_end(); }

 protected:
  // As take(); appends the steps' values.
  virtual Result<size_t> decode(Bytes bytes, std::vector<float>& values) = 0;

 private:
  Result<size_t> take(Bytes bytes) final { return decode(bytes, *values_); }

  std::vector<float>* values_ = nullptr;
};

// `count` new values at the end of `values`, to be filled.
inline std::span<float> append(std::vector<float>& values, size_t count) {
  values.resize(values.size() + count);
  return std::span(values).last(count);
}

}  // namespace quintet
