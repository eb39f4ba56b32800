#include "tensor/codecs/amb_blocks.h"

#include <algorithm>
#include <array>

#include "base/checked.h"
#include "tensor/codecs/bit_packing.h"

namespace quintet {
BlockCode code_of(Scheme scheme) {
  switch (scheme) {
    case Scheme::int8:
      return BlockCode::int8;
    case Scheme::int5:
    case Scheme::int5_block:
      return BlockCode::int5;
    default:
      return BlockCode::int4;
  }
}

bool scale_in_block(Scheme scheme) { return scheme == Scheme::int4_block || scheme == Scheme::int5_block; }

BlockGrid block_grid(const Quantization& quantization, uint64_t elements) {
  if (quantization.block == 0) return {.blocks = elements == 0 ? 0u : 1u, .values = elements};
  const uint64_t block = quantization.block;
  return {.blocks = elements / block + (elements % block != 0), .values = block};
}

size_t scale_bytes(const Quantization& quantization) { return quantization.scale_dtype == Dtype::f16 ? 2 : 4; }

uint64_t adaptive_block_bytes(const Quantization& quantization, uint64_t values, BlockCode code) {
  return packed_bytes(bits_of(code), values) + (code == BlockCode::fp16 ? 0 : scale_bytes(quantization));
}

std::optional<uint64_t> adaptive_data_bytes(const Quantization& quantization, uint64_t elements, Bytes codes) {
  const BlockGrid grid = block_grid(quantization, elements);
  if (!checked_mul(grid.values, bits_of(BlockCode::fp16))) return std::nullopt;
  std::array<uint64_t, kBlockCodes> counts = {};
  for (uint64_t block = 0; block < grid.blocks; ++block) {
    const unsigned byte = std::to_integer<unsigned>(codes[static_cast<size_t>(block / 4)]);
    ++counts[byte >> (block % 4 * 2) & 3];
  }
  std::optional<uint64_t> sum = codes.size();
  for (size_t i = 0; i < counts.size() && sum; ++i) {
    const uint64_t one = adaptive_block_bytes(quantization, grid.values, static_cast<BlockCode>(i));
    const std::optional<uint64_t> all = checked_mul(counts[i], one);
    sum = all ? checked_add(*sum, *all) : std::nullopt;
  }
  return sum;
}

std::optional<PayloadSize> amb_payload_size(const Quantization& quantization, uint64_t elements) {
  const BlockGrid grid = block_grid(quantization, elements);
  if (!checked_mul(grid.values, bits_of(BlockCode::fp16))) return std::nullopt;
  const size_t scale = scale_bytes(quantization);
  if (quantization.scheme == Scheme::adaptive) {
    const uint64_t least = std::min(adaptive_block_bytes(quantization, grid.values, BlockCode::int4),
                                    adaptive_block_bytes(quantization, grid.values, BlockCode::fp16));
    const std::optional<uint64_t> blocks = checked_mul(grid.blocks, least);
    const std::optional<uint64_t> data =
        blocks ? checked_add(grid.blocks / 4 + (grid.blocks % 4 != 0), *blocks) : std::nullopt;
    if (!data) return std::nullopt;
    return PayloadSize{.scales = 0, .data = *data};
  }
  const uint64_t packed = packed_bytes(bits_of(code_of(quantization.scheme)), grid.values);
  const std::optional<uint64_t> all = checked_mul(grid.blocks, scale + packed);
  if (!all) return std::nullopt;
  const uint64_t apart = scale_in_block(quantization.scheme) ? 0 : grid.blocks * scale;
  return PayloadSize{.scales = apart, .data = *all - apart};
}

}  // namespace quintet
