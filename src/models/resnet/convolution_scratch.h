#pragma once
// Memory that the convolutions of a pass share.

#include "base/aligned_buffer.h"

namespace quintet::resnet {

template <class T>
struct ConvolutionScratch {
  AlignedBuffer<T> inputs;   // transformed
  AlignedBuffer<T> weights;  // of some panels, transformed or widened

  // At least `count` values, of no meaning.
  static Result<T*> room(AlignedBuffer<T>& buffer, uint64_t count) {
    if (buffer.capacity() < count) buffer = AlignedBuffer<T>();  // what it held need not be copied
    QUINTET_CHECK(buffer.resize_uninitialized(count));
    return buffer.data();
  }
};

// Weights that are made ready for use, and inputs that all of them meet: such blocks stay in the cache.
constexpr size_t kBlockBytes = size_t{256} << 10;

// How many things of that size are a block.
inline size_t block_of(size_t bytes, size_t limit = kBlockBytes) { return bytes < limit ? limit / bytes : 1; }

}  // namespace quintet::resnet
