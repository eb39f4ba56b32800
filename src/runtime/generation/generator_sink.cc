#include "runtime/generation/generator_sink.h"

#include <algorithm>
#include <string>
#include <utility>

#include "architectures/decoder/decoder.h"
#include "base/aligned_buffer.h"
#include "base/checked.h"
#include "formats/pre_tokenizers.h"
#include "formats/tokenizer_check.h"
#include "runtime/inspect/memory_estimate.h"

namespace quintet {
namespace {

std::optional<BlockBits> most_bits(GeneratorOptions::Quantize quantize) {
  switch (quantize) {
    case GeneratorOptions::Quantize::none:
      return std::nullopt;
    case GeneratorOptions::Quantize::int8:
      return BlockBits::eight;
    case GeneratorOptions::Quantize::int4:
      return BlockBits::four;
  }
  return std::nullopt;
}

// Minimum context length if the caller names none and the model supports it. Many models have a hundred thousand
// positions and more, whose keys and values would need more memory than everything else.
constexpr uint64_t kDefaultContext = 4096;

Status check_kind(const ModelDescription& description) {
  if (description.architecture != "bert") return {};
  return fail({.code = Code::unsupported,
               .reason = Reason::unsupported,
               .detail = "a BERT model is read by Embedder, not by TextGenerator; `quintet convert --to weights` "
                         "converts its safetensors for Embedder"});
}

}  // namespace

GeneratorSink::GeneratorSink(const GeneratorOptions& options, uint64_t available)
    : options_(options), available_(available), weights_(most_bits(options.quantize)) {}

Status GeneratorSink::describe(ModelDescription description, const std::optional<DecoderConfig>& config) {
  QUINTET_CHECK(check_kind(description));
  if (!config) return input_error(Reason::mismatch, "config.json does not describe a decoder");
  QUINTET_CHECK(begin_model(description, *config));
  description_ = std::move(description);
  described_ = true;
  return {};
}

Status GeneratorSink::begin(const ModelDescription& description) {
  QUINTET_CHECK(check_kind(description));
  if (description.format == Format::gguf) QUINTET_CHECK(split_.add(description));
  if (described_) return begin_shard(description);
  if (description.format == Format::safetensors) {
    return input_error(Reason::missing,
                       "there is no config.json before it: a safetensors model needs config.json and, for text, "
                       "tokenizer.json or tokenizer.model before its *.safetensors");
  }
  QUINTET_TRY(DecoderConfig config, read_decoder_config(description));
  QUINTET_CHECK(begin_model(description, std::move(config)));
  if (split_.several()) return begin_split(description);
  if (description.tensors.empty()) return {};
  QUINTET_CHECK(check_decoder(config_, description));
  checked_ = true;
  return plan_all(description.tensors);
}

Status GeneratorSink::begin_model(const ModelDescription& description, DecoderConfig config) {
  config_ = std::move(config);
  QUINTET_CHECK(check_tokenizer(description.tokenizer, config_.n_vocab));
  QUINTET_CHECK(check_pre_tokenizer(description.tokenizer));
  QUINTET_CHECK(choose_context());
  weights_.begin(config_, decoder::TensorNames(description));
  counts_announced_ = description.tensors.empty() && description.format != Format::safetensors && !split_.several();
  const uint64_t file = description.file_size.value_or(0);
  const bool size_tells = counts_announced_ && options_.quantize == GeneratorOptions::Quantize::none;
  if (size_tells) expected_ = file - std::min(file, description.tokenizer.stored_bytes);
  return check_memory(expected_);
}

Status GeneratorSink::begin_split(const ModelDescription& description) {
  description_ = description;
  description_.file_size.reset();
  described_ = true;
  return plan_all(description.tensors);
}

// The memory for a file is checked before its first tensor, whichever part of the model that is.
Status GeneratorSink::begin_shard(const ModelDescription& shard) {
  QUINTET_CHECK(add_file(description_, shard));
  // The size of the vocabulary and the kind of RoPE of a GGUF model follow from tensors, in whichever file they are.
  if (split_.several()) {
    QUINTET_TRY(config_, read_decoder_config(description_));
    weights_.reconfigure(config_);
  }
  return plan_all(shard.tensors);
}

Status GeneratorSink::choose_context() {
  if (options_.context_length > config_.max_seq_len) {
    return input_error(Reason::out_of_range, "a context of " + std::to_string(options_.context_length) +
                                                 " tokens, but the model supports at most " +
                                                 std::to_string(config_.max_seq_len));
  }
  const uint64_t least =
      options_.context_length == 0 ? std::min(config_.max_seq_len, kDefaultContext) : options_.context_length;
  QUINTET_TRY(cache_bytes_, kv_cache_bytes(config_, options_.kv_type, least));
  return {};
}

// By default the model's whole context, or as much of it as fits memory.
Result<uint64_t> GeneratorSink::context_beside(uint64_t weights) const {
  if (options_.context_length != 0) return options_.context_length;
  for (uint64_t context = config_.max_seq_len;; context = std::max(context / 2, kDefaultContext)) {
    QUINTET_TRY(const uint64_t cache, kv_cache_bytes(config_, options_.kv_type, context));
    if (context <= kDefaultContext || checked_add(weights, cache).value_or(UINT64_MAX) <= available_) return context;
  }
}

Status GeneratorSink::plan_all(const std::vector<TensorInfo>& tensors) {
  for (const TensorInfo& info : tensors) {
    QUINTET_TRY(const uint64_t bytes, weights_.announce(info));
    planned_ = checked_add(planned_, bytes).value_or(UINT64_MAX);
  }
  return check_memory(planned_);
}

Status GeneratorSink::check_memory(uint64_t weights) const {
  const uint64_t needed = checked_add(weights, cache_bytes_).value_or(UINT64_MAX);
  if (needed <= available_) return {};
  return fail({.code = Code::memory,
               .reason = Reason::out_of_memory,
               .detail = "needs " + std::to_string(needed) + " bytes (weights " + std::to_string(weights) +
                         ", KV cache " + std::to_string(cache_bytes_) + "), but " + std::to_string(available_) +
                         " are available"});
}

Result<std::unique_ptr<ByteSink>> GeneratorSink::tensor(const TensorArrival& tensor) {
  if (counts_announced_) QUINTET_CHECK(plan_all({tensor.info}));
  if (tensor.bytes_exist) grow_heap();
  return weights_.tensor(tensor);
}

// Once for all matrices: a JavaScript engine collects garbage after every few times that its WebAssembly memory grows.
void GeneratorSink::grow_heap() {
  const uint64_t needed = std::max(planned_, expected_);
  if (needed <= heap_) return;
  AlignedBuffer<std::byte> room;
  // Without room for all, some matrix will not fit, and its error says so.
  static_cast<void>(room.reserve(needed - heap_));
  asm volatile("" : : "r"(room.data()));  // or the compiler would leave out both the allocation and its end
  heap_ = needed;
}

Status GeneratorSink::end(ModelDescription description) {
  if (described_) return {};
  if (description.tensors.empty()) {
    return format_error(Reason::missing, description.file_size.value_or(0),
                        "the file contains a tokenizer but no tensors, so there is no model to run");
  }
  if (!checked_) QUINTET_CHECK(check_decoder(config_, description));
  checked_ = true;
  description_ = std::move(description);
  return {};
}

Result<std::unique_ptr<GeneratorModel>> GeneratorSink::finish() {
  if (!checked_) {
    QUINTET_CHECK(split_.finish(description_.tensors.size()));
    if (Status status = check_decoder(config_, description_); !status) {
      return fail(in_format(std::move(status).error(), quintet::name_of(description_.format)));
    }
  }
  auto model = std::make_unique<GeneratorModel>();
  QUINTET_TRY(model->weights, weights_.take(config_));
  model->vocabulary_size = description_.tokenizer.size();
  QUINTET_TRY(model->codec, TextCodec::create(description_));
  model->description = std::move(description_);
  model->config = std::move(config_);
  QUINTET_TRY(model->context_length, context_beside(model->weights.bytes()));
  model->kv_type = options_.kv_type;
  if (model->config.long_rope) {
    LongRope& rope = *model->config.long_rope;
    rope.is_long = model->context_length > rope.original_max_seq_len;
    QUINTET_CHECK(model->weights.choose_rope_factors(rope));
  }
  return model;
}

}  // namespace quintet
