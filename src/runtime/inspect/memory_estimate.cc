#include "runtime/inspect/memory_estimate.h"

#include <algorithm>

namespace quintet {
namespace {

// The memory of a module before it loads a model: its stack, its constants, and small objects.
constexpr uint64_t kEngineBytes = uint64_t{500} << 10;
// Memory grows by at least this much (cmake/wasm_module.cmake), of which half is left over on average.
constexpr uint64_t kGrowthStep = uint64_t{1} << 20;
constexpr uint64_t kInitialBytes = uint64_t{2} << 20;
// A load holds a piece of the file of at most this size.
constexpr uint64_t kPieceBytes = uint64_t{1} << 20;

bool is_encoder(const ModelDescription& description) {
  switch (description.format) {
    case Format::embd:
      return true;
    case Format::gguf:
      return is_encoder_gguf(description.architecture);
    case Format::safetensors:
      // Only networks of pictures have kernels with two dimensions.
      return std::ranges::none_of(description.tensors, [](const TensorInfo& info) { return info.shape.size() == 4; });
    case Format::amb:
    case Format::alt:
    case Format::tinyruntime:
      return false;
  }
  return false;
}

}  // namespace

uint64_t load_bytes(const MemoryEstimate& memory, uint64_t tokenizer) {
  const uint64_t used = kEngineBytes + memory.weights + tokenizer + memory.work;
  return std::max(used + kGrowthStep / 2, kInitialBytes);
}

MemoryEstimate estimate_memory(const ModelDescription& description, const GeneratorOptions& load) {
  const uint64_t piece = std::min(description.file_size.value_or(kPieceBytes), kPieceBytes);
  if (is_encoder(description)) {
    MemoryEstimate memory = encoder_memory(description, load.quantize != GeneratorOptions::Quantize::none);
    // The buffers of a pass are larger than the room that the piece leaves.
    memory.work += piece;
    return memory;
  }
  MemoryEstimate memory = description.format == Format::safetensors   ? picture_memory(description)
                          : description.format == Format::tinyruntime ? table_memory(description)
                                                                      : decoder_memory(description, load);
  memory.work = std::max(memory.work, piece);
  return memory;
}

}  // namespace quintet
