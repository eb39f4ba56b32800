#include "runtime/kv/kv_cache_sink.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

#include "base/unit_assembler.h"
#include "formats/kv_cache/metadata.h"
#include "formats/safetensors/reader.h"
#include "runtime/kv/model_identity.h"
#include "tensor/finite.h"
#include "tensor/packed/growth.h"

namespace quintet::kv {
namespace {

using decoder::KvCache;
using Kind = TensorRole::Kind;

// Maximum id for files without a target: what I32 can represent.
constexpr uint64_t kMaxIds = uint64_t{1} << 31;

Failure not_finite(uint64_t offset, std::string_view tensor) {
  return entry_error(Code::format, Reason::out_of_range, offset, tensor, "a number that is not finite");
}

// Splits the bytes of a tensor into units of `unit` bytes.
class UnitSink : public ByteSink {
 public:
  explicit UnitSink(size_t unit) : unit_(unit) {}

  Status write(Bytes bytes) final {
    return units_.feed(bytes, unit_, [this](Bytes units) { return put(units); });
  }
  Status finish() final { return {}; }

 protected:
  size_t unit() const { return unit_; }
  // The next complete units.
  virtual Status put(Bytes units) = 0;

 private:
  size_t unit_;
  UnitAssembler<> units_;
};

}  // namespace

// Token ids and logits.
class KvCacheSink::Flat final : public UnitSink {
 public:
  Flat(KvCacheSink& reader, const TensorInfo& info, Kind kind)
      : UnitSink(sizeof(uint32_t)), reader_(reader), info_(info), kind_(kind) {}

 private:
  Status put(Bytes units) override {
    for (size_t i = 0; i < units.size(); i += unit()) {
      uint32_t bits;
      std::memcpy(&bits, units.data() + i, sizeof(bits));
      QUINTET_CHECK(kind_ == Kind::tokens ? put_token(bits) : put_logit(std::bit_cast<float>(bits)));
    }
    return {};
  }

  Status put_token(uint32_t id) {
    const uint64_t ids = reader_.vocabulary();
    if (id >= ids) {
      return tensor_error(Code::format, Reason::out_of_range, info_, "token id {} in a vocabulary of {}",
                          static_cast<int32_t>(id), ids);
    }
    // Ids that are also in the metadata must be the same (docs/formats/safetensors.md, "KV caches").
    std::vector<uint32_t>& tokens = *reader_.content_->tokens;
    if (!reader_.file_.token_ids) {
      tokens.push_back(id);
    } else if (tokens[next_++] != id) {
      return tensor_error(Code::format, Reason::mismatch, info_, "the metadata token_ids differ from the tensor");
    }
    return {};
  }

  // -infinity is allowed: a caller may have excluded a token.
  Status put_logit(float logit) {
    if (!(logit < INFINITY)) return not_finite(info_.offset, info_.name);
    reader_.content_->logits.push_back(logit);
    return {};
  }

  KvCacheSink& reader_;
  const TensorInfo info_;
  Kind kind_;
  size_t next_ = 0;  // index of the next token in the metadata
};

// Keys or values of a layer.
class KvCacheSink::Rows final : public UnitSink {
 public:
  Rows(KvCacheSink& reader, const TensorInfo& info, const TensorRole& role, FirstPart* first, size_t unit)
      : UnitSink(unit),
        reader_(reader),
        cache_(reader.content_->cache),
        info_(info),
        role_(role),
        first_(first),
        layout_(cache_.shape().row_of(static_cast<size_t>(role.layer), part())) {
    reader.values_.resize(layout_.head_dim);
    if (first == nullptr) return;
    packed_ = int4_row_layout(layout_.head_dim, static_cast<size_t>(reader.file_.storage.group));
    reader.packed_row_.resize(packed_.bytes);
  }

 private:
  Status put(Bytes units) override {
    if (first_ != nullptr && first_->kind == role_.kind) return keep(units);
    const size_t positions = cache_.length();
    for (size_t count = 0; !units.empty(); units = units.subspan(count * unit()), next_ += count) {
      const size_t kv_head = next_ / positions, position = next_ % positions;
      // Floats of one page are contiguous both there and in the file.
      const bool at_once = first_ == nullptr && (layout_.type == KvType::f32 || are_halves_of_rows());
      const size_t page = KvCache::kPagePositions - position % KvCache::kPagePositions;
      count = at_once ? std::min({page, positions - position, units.size() / unit()}) : 1;
      std::byte* row = cache_.row(static_cast<size_t>(role_.layer), kv_head, part(), position);
      if (row != nullptr) QUINTET_CHECK(put_rows(units.first(count * unit()), row));
    }
    return {};
  }

  Status keep(Bytes units) {
    AlignedBuffer<std::byte>& kept = first_->bytes;
    const size_t before = kept.size();
    QUINTET_CHECK(grow_to(kept, before + units.size(), info_.bytes));
    std::memcpy(kept.data() + before, units.data(), units.size());
    return {};
  }

  KvCache::Part part() const { return role_.is_value ? KvCache::Part::value : KvCache::Part::key; }

  bool are_halves_of_rows() const {
    return layout_.type == KvType::f16 && info_.dtype == Dtype::f16 && unit() == layout_.bytes;
  }

  // One row, or several rows of floats.
  Status put_rows(Bytes units, std::byte* row) {
    if (first_ == nullptr && are_halves_of_rows()) {
      if (!all_finite_halves(units)) return wrong_values();
      std::memcpy(row, units.data(), units.size());
      return {};
    }
    const bool in_place = layout_.type == KvType::f32;
    std::span<float> values = reader_.values_;
    if (in_place) values = {reinterpret_cast<float*>(row), units.size() / unit() * layout_.head_dim};
    if (first_ != nullptr) {
      unpack(units, values.data());
    } else {
      decode(info_.dtype, units, values);
    }
    if (!all_finite(values)) return wrong_values();
    if (in_place) return {};
    encode_kv_row(layout_, values.data(), row);
    if (kv_row_holds(layout_, values.data()) && kv_row_has_scales(layout_, row)) return {};
    return input_error(Reason::out_of_range, "a value is too large for the type of the session's cache");
  }

  void unpack(Bytes unit, float* values) const {
    std::byte* row = reader_.packed_row_.data();
    const size_t q_bytes = packed_.scales_offset(), scales_bytes = packed_.groups() * sizeof(uint16_t);
    const std::byte* kept = first_->bytes.data();
    const bool has_q = role_.kind == Kind::values;
    std::memcpy(row, has_q ? unit.data() : kept + next_ * q_bytes, q_bytes);
    std::memcpy(row + q_bytes, has_q ? kept + next_ * scales_bytes : unit.data(), scales_bytes);
    decode_kv_row(packed_, row, values);
  }

  // For packed values, only a scale can be that.
  Failure wrong_values() const {
    if (first_ == nullptr || role_.kind == Kind::scales) return not_finite(info_.offset, info_.name);
    return not_finite(first_->offset, info_.name + ".scale");
  }

  KvCacheSink& reader_;
  KvCache& cache_;
  const TensorInfo info_;
  TensorRole role_;
  FirstPart* first_;  // null if the file is not packed
  KvRowLayout layout_;
  KvRowLayout packed_;  // of a packed file: q and scales combined
  size_t next_ = 0;     // row
};

// Inputs of convolutions, or other states, of a layer at all checkpoints.
class KvCacheSink::States final : public UnitSink {
 public:
  States(KvCacheSink& reader, const TensorInfo& info, const TensorRole& role)
      : UnitSink(sizeof(float)),
        reader_(reader),
        info_(info),
        is_convolution_(role.kind == Kind::convolution),
        layer_(reader.content_->cache.recurrent_index(static_cast<size_t>(role.layer))),
        count_(static_cast<size_t>(info.elements()) / std::max(size_t{1}, reader.states_.size())) {}

 private:
  Status put(Bytes units) override {
    for (size_t bytes = 0; !units.empty(); units = units.subspan(bytes)) {
      const size_t count = std::min(units.size() / unit(), count_ - next_ % count_);
      bytes = count * unit();
      decoder::RecurrentState* state = reader_.states_[next_ / count_].get();
      if (state != nullptr) {
        const auto all = is_convolution_ ? state->inputs(layer_) : state->values(layer_);
        const auto some = all.subspan(next_ % count_, count);
        std::memcpy(some.data(), units.data(), bytes);
        if (!all_finite(some)) return not_finite(info_.offset, info_.name);
      }
      next_ += count;
    }
    return {};
  }

  KvCacheSink& reader_;
  const TensorInfo info_;
  bool is_convolution_;
  size_t layer_;     // in the states
  size_t count_;     // floats of a checkpoint
  size_t next_ = 0;  // float
};

KvCache::Shape KvCacheSink::cache_shape() const {
  if (target_) return target_->shape;
  const kv::States& states = file_.states;
  // Empty for the heads that no layer has; the sizes of others are limited.
  const auto row = [](uint64_t head_dim) {
    return kv_row_layout(KvType::f32, static_cast<size_t>(head_dim)).value_or(KvRowLayout{});
  };
  return {.layers = static_cast<size_t>(file_.shape.layers),
          .kv_heads = static_cast<size_t>(file_.shape.kv_heads),
          .row = row(file_.shape.head_dim),
          .local_kv_heads = static_cast<size_t>(file_.local.count),
          .local_row = row(file_.local.dim),
          .local_layers = file_.local_layers,
          .recurrent_layers = states.layers,
          .layers_without_rows = file_.layers_without_rows,
          .state = {.layers = static_cast<size_t>(std::ranges::count(states.layers, true)),
                    .inputs = static_cast<size_t>(states.inputs),
                    .channels = static_cast<size_t>(states.channels),
                    .values = static_cast<size_t>(states.values)}};
}

// The layers that have keys and values, and those that have a state, with its size.
Status KvCacheSink::check_states() const {
  const KvCache::Shape& shape = target_->shape;
  const kv::States& states = file_.states;
  const decoder::RecurrentState::Sizes& sizes = shape.state;
  bool is_same = !sizes.exist() || (states.values == sizes.values && states.inputs == sizes.inputs &&
                                    (states.inputs == 0 || states.channels == sizes.channels));
  for (size_t layer = 0; layer < shape.own_layers(); ++layer) {
    const bool has_state = sizes.exist() && contains(shape.recurrent_layers, layer);
    is_same = is_same && states.has(layer) == has_state && file_.has_rows(layer) == shape.has_rows(layer);
  }
  if (is_same) return {};
  return format_error(Reason::mismatch, safetensors::kLengthBytes,
                      "the states of recurrent layers are missing, or are not those of this model");
}

Status KvCacheSink::begin(const ModelDescription& description) {
  QUINTET_TRY(file_, read_cache_file(description));
  const Shape& shape = file_.shape;
  if (target_) QUINTET_CHECK(check_identity(file_, target_->config));
  if (target_) QUINTET_CHECK(check_states());
  if (file_.token_ids) QUINTET_CHECK(check_token_ids());
  if (target_ && shape.positions > target_->max_positions) {
    return input_error(Reason::limit, "a cache of {} positions, but the context holds {}", shape.positions,
                       target_->max_positions);
  }
  if (file_.storage.layout == Layout::packed) first_parts_.resize(static_cast<size_t>(2 * shape.layers));
  return {};
}

uint64_t KvCacheSink::vocabulary() const { return target_ ? target_->config.n_vocab : kMaxIds; }

Status KvCacheSink::check_token_ids() const {
  for (const uint32_t id : *file_.token_ids) {
    if (id >= vocabulary()) {
      return wrong_metadata("token_ids", find_text(file_.metadata, "token_ids"), Reason::out_of_range,
                            formatted("ids below {}", vocabulary()));
    }
  }
  return {};
}

// Without a target, the size is only claimed by the file.
Status KvCacheSink::make_room(bool bytes_exist) {
  if (content_) return {};
  if (!target_ && !bytes_exist) return input_error(Reason::missing, "the length of the file is not known");
  QUINTET_TRY(KvCache cache, KvCache::with_positions(cache_shape(), static_cast<size_t>(file_.shape.positions)));
  content_ = {.cache = std::move(cache), .tokens = {}, .logits = {}, .metadata = file_.metadata};
  if (file_.has_tokens()) content_->tokens = file_.token_ids.value_or(std::vector<uint32_t>());
  return make_states();
}

// For a session no more than it would keep; the others are skipped.
Status KvCacheSink::make_states() {
  const KvCache::Shape& shape = content_->cache.shape();
  if (!shape.state.exist()) return {};
  decoder::Checkpoints kept;
  for (const uint32_t length : file_.states.checkpoints) kept.add(length, nullptr);
  if (target_) {
    const uint64_t max = KvCache::max_checkpoint_bytes(shape, static_cast<size_t>(target_->max_positions));
    kept.drop_to(static_cast<size_t>(max / shape.state.bytes()));
  }
  for (const uint32_t length : file_.states.checkpoints) {
    const bool is_kept = kept.before(length) == length;
    states_.push_back(is_kept ? decoder::RecurrentState::create(shape.state) : nullptr);
    if (is_kept && !states_.back()) return memory_error(shape.state.bytes());
  }
  return {};
}

Result<std::unique_ptr<ByteSink>> KvCacheSink::tensor(const TensorArrival& tensor) {
  QUINTET_CHECK(make_room(tensor.bytes_exist));
  const TensorInfo& info = tensor.info;
  const TensorRole role = *tensor_role(info.name);
  if (role.kind == Kind::tokens || role.kind == Kind::logits) return std::make_unique<Flat>(*this, info, role.kind);
  if (role.is_state()) return std::make_unique<States>(*this, info, role);
  FirstPart* first = nullptr;
  if (!first_parts_.empty()) {
    first = &first_parts_[static_cast<size_t>(2 * role.layer + role.is_value)];
    if (!first->kind) {
      first->kind = role.kind;
      first->offset = info.offset;
    }
  }
  const auto unit = *bytes_of(info.dtype, info.shape.back());
  return std::make_unique<Rows>(*this, info, role, first, static_cast<size_t>(unit));
}

Status KvCacheSink::end(ModelDescription) {
  first_parts_.clear();
  for (size_t i = 0; i < states_.size(); ++i) {
    if (states_[i]) content_->cache.restore_checkpoint(file_.states.checkpoints[i], std::move(states_[i]));
  }
  states_.clear();
  return {};
}

Parse<void> read_cache(ByteStream& in, KvCacheSink& reader) { return safetensors::read(in, reader, {}); }

}  // namespace quintet::kv
