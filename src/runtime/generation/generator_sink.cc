#include "runtime/generation/generator_sink.h"

#include <algorithm>
#include <string>
#include <utility>

#include "architectures/decoder/decoder.h"
#include "base/checked.h"
#include "formats/pre_tokenizers.h"
#include "formats/tokenizer_check.h"

namespace quintet {
namespace {

Status check_kind(const ModelDescription& description) {
  if (description.architecture != "bert") return {};
  return fail(Code::unsupported, Reason::unsupported,
              "a BERT model is read by Embedder, not by TextGenerator; `quintet convert --to weights` "
              "converts its safetensors for Embedder");
}

}  // namespace

GeneratorSink::GeneratorSink(const GeneratorOptions& options, uint64_t available)
    : options_(options), memory_(options, available), weights_(max_bits(options.quantize)) {}

Status GeneratorSink::describe(ModelDescription description, const std::optional<DecoderConfig>& config) {
  QUINTET_CHECK(check_kind(description));
  if (!config) return input_error(Reason::mismatch, "config.json does not describe a decoder");
  QUINTET_CHECK(begin_model(description, *config));
  model_.describe(std::move(description));
  return {};
}

Status GeneratorSink::begin(const ModelDescription& description) {
  QUINTET_CHECK(check_kind(description));
  QUINTET_CHECK(model_.add(description));
  if (model_.is_described()) return begin_part(description);
  if (description.format == Format::safetensors) {
    return input_error(Reason::missing,
                       "there is no config.json before it: a safetensors model needs config.json and, for text, "
                       "tokenizer.json or tokenizer.model before its *.safetensors");
  }
  QUINTET_TRY(DecoderConfig config, read_decoder_config(description));
  QUINTET_CHECK(begin_model(description, std::move(config)));
  if (model_.is_split()) {
    model_.describe(description);
  } else if (lists_tensors_) {
    QUINTET_CHECK(check_decoder(config_, description));
    is_checked_ = true;
  }
  return announce(description.tensors);
}

Status GeneratorSink::begin_model(const ModelDescription& description, DecoderConfig config) {
  config_ = std::move(config);
  QUINTET_CHECK(check_tokenizer(description.tokenizer, config_.n_vocab));
  QUINTET_CHECK(check_pre_tokenizer(description.tokenizer));
  QUINTET_CHECK(memory_.plan_cache(config_));
  weights_.begin(config_, decoder::TensorNames(description));
  lists_tensors_ = !description.tensors.empty() || description.format == Format::safetensors || model_.is_split();
  // Weights that keep their form take as much memory as in the file.
  const bool keeps_size = !lists_tensors_ && options_.quantize == GeneratorOptions::Quantize::none;
  const uint64_t file = keeps_size ? description.file_size.value_or(0) : 0;
  return memory_.expect(file - std::min(file, description.tokenizer.stored_bytes));
}

// The memory for a file is checked before its first tensor, whichever part of the model that is.
Status GeneratorSink::begin_part(const ModelDescription& part) {
  // The size of the vocabulary and the kind of RoPE of a GGUF model follow from tensors, in whichever file they are.
  if (model_.is_split()) {
    QUINTET_TRY(config_, read_decoder_config(model_.description()));
    weights_.reconfigure(config_);
  }
  return announce(part.tensors);
}

Status GeneratorSink::announce(std::span<const TensorInfo> tensors) {
  uint64_t sum = 0;
  for (const TensorInfo& info : tensors) {
    QUINTET_TRY(const uint64_t bytes, weights_.announce(info));
    sum = checked_add(sum, bytes).value_or(UINT64_MAX);
  }
  return memory_.add(sum);
}

Result<std::unique_ptr<ByteSink>> GeneratorSink::tensor(const TensorArrival& tensor) {
  if (!lists_tensors_) QUINTET_CHECK(announce({&tensor.info, 1}));
  if (tensor.bytes_exist) memory_.grow_heap();
  return weights_.tensor(tensor);
}

Status GeneratorSink::end(ModelDescription description) {
  if (model_.is_described()) return {};
  if (description.tensors.empty()) {
    return format_error(Reason::missing, description.file_size.value_or(0),
                        "the file contains a tokenizer but no tensors, so there is no model to run");
  }
  if (!is_checked_) QUINTET_CHECK(check_decoder(config_, description));
  is_checked_ = true;
  model_.description() = std::move(description);
  return {};
}

Result<std::unique_ptr<GeneratorModel>> GeneratorSink::finish() {
  ModelDescription& description = model_.description();
  if (!is_checked_) {
    QUINTET_CHECK(model_.finish());
    if (Status status = check_decoder(config_, description); !status) {
      return in_format(failure_of(std::move(status)), quintet::name_of(description.format));
    }
  }
  auto model = std::make_unique<GeneratorModel>();
  QUINTET_TRY(model->weights, weights_.take(config_));
  model->vocabulary_size = description.tokenizer.size();
  QUINTET_TRY(model->codec, TextCodec::create(description));
  model->description = std::move(description);
  model->config = std::move(config_);
  QUINTET_TRY(model->context_length, memory_.context_beside(model->weights.bytes(), model->config));
  model->kv_types = options_.kv_types;
  if (model->config.long_rope) {
    LongRope& rope = *model->config.long_rope;
    rope.is_long = model->context_length > rope.original_max_seq_len;
    QUINTET_CHECK(model->weights.choose_rope_factors(rope));
  }
  return model;
}

}  // namespace quintet
