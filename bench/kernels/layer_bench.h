#pragma once
// What each kernel contributes to one layer of all-MiniLM-L6-v2 (384 wide, 12 heads, 1536 inside),
// with int8 weights.

namespace quintet::bench {

void bench_layer();

}  // namespace quintet::bench
