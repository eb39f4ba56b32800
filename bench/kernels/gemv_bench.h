#pragma once
// One row of activations with weights that are larger than the cache, as in a decoder's steps: bytes of weights per
// second, beside a plain read.

namespace quintet::bench {

void bench_gemv();

}  // namespace quintet::bench
