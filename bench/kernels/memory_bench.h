#pragma once

namespace quintet::bench {

// Prints the speed of a plain loop over more memory than any cache holds: what decoding one token after another comes
// close to at best.
void bench_memory();

}  // namespace quintet::bench
