#pragma once
// The search index's kernels over 100,000 vectors of 384, beside a plain read of as many bytes.

namespace quintet::bench {

// False where an answer differs from the scalar definition.
bool bench_search();

}  // namespace quintet::bench
