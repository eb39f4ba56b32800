#include "models/decoder/projection.h"

#include <algorithm>
#include <optional>

#include "models/panel_partition.h"

namespace quintet::decoder {
namespace {

std::optional<BlockGroups> groups_of(const PackedMatrix&) { return std::nullopt; }
std::optional<BlockGroups> groups_of(const BlockMatrix& w) { return activation_groups(w); }
std::optional<BlockGroups> groups_of(const AdaptiveMatrix& w) { return BlockGroups{w.block(), w.block()}; }

// The quantization of the activations, unless they stay floats.
std::optional<BlockGroups> groups_of(const WeightMatrix& weight) {
  return std::visit([](const auto& w) { return groups_of(w); }, weight);
}

}  // namespace

Status Projection::reserve(const WeightMatrix& weight, size_t rows) {
  const std::optional<BlockGroups> groups = groups_of(weight);
  if (!groups) return {};
  auto entry = std::ranges::find(quantized_, *groups, &Quantized::groups);
  if (entry == quantized_.end()) {
    quantized_.emplace_back().groups = *groups;
    entry = quantized_.end() - 1;
  }
  return entry->rows.reserve(block_activation_bytes(rows, cols_of(weight) / groups->block));
}

size_t Projection::begin(const Activations& x, std::span<const Product> products) {
  x_ = x;
  for (Quantized& entry : quantized_) entry.is_valid = false;
  size_t panels = 0;
  for (const Product& product : products) {
    if (product.weight == nullptr) continue;
    panels += product.panels();
    for (Quantized& entry : quantized_) {
      if (entry.groups == groups_of(*product.weight) && !entry.is_valid) quantize(entry, cols_of(*product.weight));
    }
  }
  return panels;
}

void Projection::quantize(Quantized& entry, size_t cols) {
  for_rows(x_.begin, x_.end, [&](size_t begin, size_t end) {
    kernels_.quantize_blocks(
        {.x = x_.rows, .begin = begin, .end = end, .cols = cols, .groups = entry.groups, .q = entry.rows.data()});
  });
  entry.is_valid = true;
}

const std::byte* Projection::quantized(const BlockGroups& groups) const {
  return std::ranges::find(quantized_, groups, &Quantized::groups)->rows.data();
}

void Projection::multiply(std::span<const Product> products, size_t begin, size_t end) const {
  for (const Product& product : products) {
    const size_t panels = product.panels();
    const GemmTile tile = {.row_begin = product.first,
                           .row_end = x_.end,
                           .panel_begin = std::min(begin, panels),
                           .panel_end = std::min(end, panels)};
    const Epilogue epilogue = {.bias = product.bias, .residual = product.accumulate ? product.c : Rows{}};
    if (tile.panel_begin < tile.panel_end) {
      std::visit([&](const auto& w) { multiply_by(w, product, epilogue, tile); }, *product.weight);
    }
    begin -= tile.panel_begin;
    end -= tile.panel_end;
  }
}

void Projection::multiply_by(const PackedMatrix& w, const Product& product, const Epilogue& epilogue,
                             const GemmTile& tile) const {
  kernels_.gemm_f32({.a = x_.rows, .w = w, .c = product.c}, epilogue, tile);
}

void Projection::multiply_by(const BlockMatrix& w, const Product& product, const Epilogue& epilogue,
                             const GemmTile& tile) const {
  kernels_.gemm_blocks({.q = quantized(*groups_of(w)), .w = w, .c = product.c}, epilogue, tile);
}

void Projection::multiply_by(const AdaptiveMatrix& w, const Product& product, const Epilogue& epilogue,
                             const GemmTile& tile) const {
  kernels_.gemm_adaptive({.x = x_.rows, .q = quantized(*groups_of(w)), .w = w, .c = product.c}, epilogue, tile);
}

size_t Projection::bytes() const {
  size_t bytes = 0;
  for (const Quantized& entry : quantized_) bytes += entry.rows.capacity();
  return bytes;
}

}  // namespace quintet::decoder
