#pragma once
// Attention's inner products on every type of the KV cache: nanoseconds for eight elements of one row of queries.

namespace quintet::bench {

void bench_attention();

}  // namespace quintet::bench
