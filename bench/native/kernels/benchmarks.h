#pragma once
// The benchmarks of kernel_bench. Each prints what it measures; false where a variant's answer differs from the scalar
// definition.

#include "bench/native/kernels/peaks.h"

namespace quintet::bench {

using Benchmark = bool(const Peaks& peaks);

// The GEMMs at the shapes of all-MiniLM-L6-v2, as shares of the peaks.
Benchmark bench_gemm_f32, bench_gemm_i8;
// Block-quantized weights: one row of activations, which reads them from memory, and the many rows of a prompt.
Benchmark bench_blocks;
// One row of activations with weights that are larger than the cache, as in a decoder's steps: bytes of weights per
// second, beside a plain read.
Benchmark bench_gemv;
// What each kernel contributes to one layer of all-MiniLM-L6-v2 (384 wide, 12 heads, 1536 inside) with int8 weights.
Benchmark bench_layer;
// Kernels that pass over their values once, in values per second: normalization, rotary embedding and MLP activations
// of decoders, pooling and quantization of networks.
Benchmark bench_rows;
// Attention's inner products on every type of the KV cache: nanoseconds for eight elements of one row of queries.
Benchmark bench_attention;
// Float convolutions at the shapes of ResNet-18 for 224x224 pixels: direct ones as shares of the peak, and Winograd's
// algorithm beside them.
Benchmark bench_convolution_f32;
// Statically quantized convolutions, directly and by Winograd's algorithm, with all that belongs to them: at the shapes
// of ResNet-18 at 224x224, and at smaller ones.
Benchmark bench_convolution_i16;
// Convolutions of dynamically quantized networks: quantization of windows, and products.
Benchmark bench_group_quantized_convolution;
// The speed of a plain loop over more memory than any cache holds: what decoding one token after another comes close to
// at best.
Benchmark bench_memory;
// How fast weights are packed while a file streams in, in bytes of the file.
Benchmark bench_pack;
// How fast the block types of GGUF are packed.
Benchmark bench_repack;
// The search index's kernels over 100,000 vectors of 384, beside a plain read of as many bytes.
Benchmark bench_search;

}  // namespace quintet::bench
