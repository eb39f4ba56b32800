#pragma once
// How fast weights are packed while a file streams in, in bytes of the file.

namespace quintet::bench {

void bench_pack();

}  // namespace quintet::bench
