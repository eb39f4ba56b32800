#include "runtime/kv/cache_writer.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "formats/safetensors/header.h"
#include "tensor/finite.h"

namespace quintet::kv {
namespace {

using decoder::KvCache;
using Kind = TensorRole::Kind;

// Copies from `offset` on until `source` ends or `out` is full. Returns the number of bytes.
size_t copy_from(Bytes source, uint64_t offset, std::span<std::byte> out) {
  source = source.subspan(static_cast<size_t>(offset));
  const size_t count = std::min(source.size(), out.size());
  std::memcpy(out.data(), source.data(), count);
  return count;
}

Failure too_large(std::string_view tensor) {
  return in_tensor(input_error(Reason::out_of_range, "a value is not finite, or too large for the requested type"),
                   tensor);
}

States states_of(const KvCache& cache) {
  const KvCache::Shape& shape = cache.shape();
  if (!shape.state.exist()) return {};
  States states = {.layers = shape.recurrent_layers,
                   .inputs = shape.state.inputs,
                   .channels = shape.state.inputs == 0 ? 0 : shape.state.channels,
                   .values = shape.state.values};
  for (const auto& checkpoint : cache.checkpoints().all()) {
    states.checkpoints.push_back(static_cast<uint32_t>(checkpoint.length));
  }
  return states;
}

}  // namespace

CacheWriter::CacheWriter(CacheContent content, const Storage& storage)
    : content_(std::move(content)), storage_(storage) {
  const KvCache::Shape& shape = content_.cache.shape();
  const size_t head_dim = std::max(shape.row.head_dim, shape.local_row.head_dim);
  values_.resize(head_dim);
  typed_.resize(head_dim * sizeof(float));
  cut_.resize(typed_.size());
  if (storage_.layout == Layout::plain) return;
  packed_row_.resize(int4_row_layout(head_dim, static_cast<size_t>(storage_.group)).bytes);
}

Result<CacheWriter> CacheWriter::create(CacheContent content, const Storage& storage) {
  CacheWriter writer(std::move(content), storage);
  CacheContent& own = writer.content_;
  const KvCache::Shape& shape = own.cache.shape();
  writer.description_ = describe_cache_file({.shape = {.layers = shape.own_layers(),
                                                       .kv_heads = shape.kv_heads,
                                                       .positions = own.cache.length(),
                                                       .head_dim = shape.row.head_dim},
                                             .storage = storage,
                                             .states = states_of(own.cache),
                                             .layers_without_rows = shape.layers_without_rows,
                                             .local = {shape.local_kv_heads, shape.local_row.head_dim},
                                             .local_layers = shape.local_layers,
                                             .token_ids = std::move(own.tokens),
                                             .logits = own.logits.size(),
                                             .metadata = std::move(own.metadata)});
  QUINTET_TRY(writer.header_, safetensors::write_header(writer.description_));
  QUINTET_CHECK(writer.check_states());
  return writer;
}

std::span<const float> CacheWriter::state_of(const TensorRole& role, size_t checkpoint) const {
  const decoder::RecurrentState& state = *content_.cache.checkpoints().all()[checkpoint].state;
  const size_t layer = content_.cache.recurrent_index(static_cast<size_t>(role.layer));
  return role.kind == Kind::convolution ? state.inputs(layer) : state.values(layer);
}

Status CacheWriter::check_states() const {
  for (const TensorInfo& info : description_.tensors) {
    const TensorRole role = *tensor_role(info.name);
    for (size_t i = 0; role.is_state() && i < content_.cache.checkpoints().all().size(); ++i) {
      if (!all_finite(state_of(role, i))) return too_large(info.name);
    }
  }
  return {};
}

size_t CacheWriter::write_state(const TensorInfo& info, const TensorRole& role, std::span<std::byte> out) const {
  const uint64_t of_one = info.bytes / content_.cache.checkpoints().all().size();
  const uint64_t at = at_ - info.offset;
  return copy_from(std::as_bytes(state_of(role, static_cast<size_t>(at / of_one))), at % of_one, out);
}

Result<size_t> CacheWriter::write(std::span<std::byte> out) {
  size_t done = 0;
  while (done < out.size() && at_ < bytes()) {
    QUINTET_TRY(const size_t count, write_some(out.subspan(done)));
    done += count;
    at_ += count;
  }
  return done;
}

Result<size_t> CacheWriter::write_some(std::span<std::byte> out) {
  if (at_ < header_.size()) return copy_from(header_, at_, out);
  const std::vector<TensorInfo>& tensors = description_.tensors;
  while (at_ == tensors[tensor_].offset + tensors[tensor_].bytes) ++tensor_;
  const TensorInfo& info = tensors[tensor_];
  const TensorRole role = *tensor_role(info.name);
  if (role.kind == Kind::logits) return copy_from(std::as_bytes(std::span(content_.logits)), at_ - info.offset, out);
  if (role.is_state()) return write_state(info, role, out);
  return write_rows(info, role, out);
}

Result<size_t> CacheWriter::write_rows(const TensorInfo& info, const TensorRole& role, std::span<std::byte> out) {
  const auto row_bytes = static_cast<size_t>(*bytes_of(info.dtype, info.shape.back()));
  const auto at = static_cast<size_t>(at_ - info.offset);
  const size_t row = at / row_bytes, cut = at % row_bytes;
  const size_t positions = content_.cache.length();
  Run run = {.info = info, .role = role, .kv_head = row / positions, .position = row % positions, .count = 1};
  if (cut != 0 || out.size() < row_bytes) {
    QUINTET_CHECK(make_rows(run, cut_.data()));
    return copy_from(Bytes(cut_).first(row_bytes), cut, out);
  }
  const size_t page = KvCache::kPagePositions - run.position % KvCache::kPagePositions;
  run.count = std::min({page, positions - run.position, out.size() / row_bytes});
  QUINTET_CHECK(make_rows(run, out.data()));
  return run.count * row_bytes;
}

Status CacheWriter::make_rows(const Run& run, std::byte* out) {
  const auto part = run.role.is_value ? KvCache::Part::value : KvCache::Part::key;
  const KvRowLayout& layout = content_.cache.shape().row_of(static_cast<size_t>(run.role.layer), part);
  const std::byte* source =
      std::as_const(content_.cache).row(static_cast<size_t>(run.role.layer), run.kv_head, part, run.position);
  const auto row_bytes = static_cast<size_t>(*bytes_of(run.info.dtype, run.info.shape.back()));
  const bool as_it_is = source != nullptr && storage_.layout == Layout::plain;
  if (as_it_is && layout.type == KvType::f16 && storage_.dtype == Dtype::f16 && layout.bytes == row_bytes) {
    // Rows of a cache are finite.
    std::memcpy(out, source, run.count * row_bytes);
    return {};
  }
  if (as_it_is && layout.type == KvType::f32) {
    const std::span values(reinterpret_cast<const float*>(source), run.count * layout.head_dim);
    if (!all_finite_as(storage_.dtype, values)) return too_large(run.info.name);
    encode(storage_.dtype, values, {out, run.count * row_bytes});
    return {};
  }
  for (size_t i = 0; i < run.count; ++i) {
    const std::byte* row = source == nullptr ? nullptr : source + i * layout.bytes;
    QUINTET_CHECK(make_row(run, row, {out + i * row_bytes, row_bytes}));
  }
  return {};
}

Status CacheWriter::make_row(const Run& run, const std::byte* source, std::span<std::byte> out) {
  const Dtype dtype = storage_.dtype;
  const auto part = run.role.is_value ? KvCache::Part::value : KvCache::Part::key;
  const KvRowLayout& layout = content_.cache.shape().row_of(static_cast<size_t>(run.role.layer), part);
  const std::span values = std::span(values_).first(layout.head_dim);
  if (source != nullptr) {
    decode_kv_row(layout, source, values.data());
  } else {
    std::ranges::fill(values, 0.0F);
  }
  if (!all_finite_as(dtype, values)) return too_large(run.info.name);
  if (storage_.layout != Layout::plain) {
    const KvRowLayout packed = int4_row_layout(layout.head_dim, static_cast<size_t>(storage_.group));
    const std::span<std::byte> typed(typed_.data(), values.size() * bits_of(dtype) / 8);
    encode(dtype, values, typed);
    decode(dtype, typed, values);
    encode_kv_row(packed, values.data(), packed_row_.data());
    if (!kv_row_has_scales(packed, packed_row_.data())) return too_large(run.info.name);
    if (storage_.layout == Layout::packed) {
      const size_t offset = run.role.kind == Kind::scales ? packed.scales_offset() : 0;
      std::memcpy(out.data(), packed_row_.data() + offset, out.size());
      return {};
    }
    decode_kv_row(packed, packed_row_.data(), values.data());
    // A scale that was rounded up may exceed the type.
    if (!all_finite_as(dtype, values)) return too_large(run.info.name);
  }
  encode(dtype, values, out);
  return {};
}

}  // namespace quintet::kv
