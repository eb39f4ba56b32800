// Conversion of an encoder to .weights.

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "architectures/encoder/tensor_check.h"
#include "base/decimal.h"
#include "formats/embd/layout.h"
#include "formats/embd/sentence_metadata.h"
#include "formats/embd/tensor_index.h"
#include "formats/gguf/pooling.h"
#include "runtime/convert/plan.h"
#include "runtime/convert/source_model.h"
#include "runtime/inspect/describe.h"

namespace quintet {
namespace {

constexpr std::string_view kDefaultName = "bert";
constexpr uint64_t kDefaultGroup = 64;

// The tensor names of .weights files.
encoder::TensorNames bert_names() { return {encoder::family_of(encoder::bert_config()), Format::embd}; }

bool to_int8(const ConvertOptions& options) {
  return options.quantize == Quantize::int8_row || options.quantize == Quantize::int8_group;
}

Result<StoredType> int8_type(const TensorInfo& info, const ConvertOptions& options) {
  const uint64_t columns = info.shape[1];
  const uint64_t group = options.quantize == Quantize::int8_row ? columns : options.group_size.value_or(kDefaultGroup);
  if (columns % group != 0 || group > UINT32_MAX) {
    return tensor_error(Code::input, Reason::out_of_range, info, "groups of {} do not divide rows of {}", group,
                        columns);
  }
  const Quantization quantization = {
      .scheme = Scheme::group_int8, .block = static_cast<uint32_t>(group), .scale_dtype = Dtype::f32};
  return StoredType{.dtype = Dtype::i8, .quantization = quantization};
}

// Types that .weights does not have are widened.
StoredType kept_type(const TensorInfo& info) {
  if (info.quantization.scheme == Scheme::group_int8) return stored_type(info);
  if (info.quantized()) return {.dtype = Dtype::f32};
  return {.dtype = weights_name_of(info.dtype).empty() ? Dtype::f32 : info.dtype};
}

Result<StoredType> target_of(const TensorInfo& info, const SourceModel& source, const ConvertOptions& options) {
  if (source.origin == Origin::hugging_face && !is_real(info)) {
    return tensor_error(Code::unsupported, Reason::unknown_value, info, "weights of type {}; only floats are supported",
                        name_of(info.dtype));
  }
  if (!is_real(info) || options.quantize == Quantize::keep) return kept_type(info);
  if (!to_int8(options)) return plain_type(info, options, {});
  // Int8 matrices outside of the encoder use the same form, since one metadata key describes it for all.
  const auto ref = bert_names().ref_of(info.name);
  const bool is_int8 = info.quantization.scheme == Scheme::group_int8;
  if (is_int8 || (ref && ref->is_quantized() && info.shape.size() == 2)) return int8_type(info, options);
  return kept_type(info);
}

TensorInfo scales_of(const TensorInfo& matrix) {
  const uint64_t columns = matrix.shape[1];
  TensorInfo scales;
  scales.name = embd::scale_name(matrix.name);
  scales.shape = {matrix.shape[0]};
  if (matrix.quantization.block != columns) scales.shape.push_back(columns / matrix.quantization.block);
  scales.bytes = scales.elements() * sizeof(float);
  return scales;
}

Status add_job(const SourceTensor& tensor, std::string name, const SourceModel& source, const ConvertOptions& options,
               Plan& plan) {
  TensorInfo named = tensor.info;
  named.name = std::move(name);
  QUINTET_TRY(const StoredType type, target_of(named, source, options));
  Job job{.source = tensor, .output = {}};
  job.output.name = std::move(named.name);
  job.output.shape = named.shape;
  job.output.dtype = type.dtype;
  job.output.quantization = type.quantization;
  if (job.output.quantized()) job.scales = scales_of(job.output);
  plan.jobs.push_back(std::move(job));
  return {};
}

// Stored tensors are copied unchanged, including scales as separate tensors.
bool keeps_all(const SourceModel& source, const ConvertOptions& options) {
  return source.origin == Origin::file && options.quantize == Quantize::keep;
}

// An encoder from another format than .weights.
struct Encoder {
  EncoderConfig config;
  SentenceConfig sentence;
  encoder::TensorNames names;
};

Result<std::optional<Encoder>> encoder_in(const SourceModel& source) {
  if (source.encoder) {
    QUINTET_CHECK(source.head);
    const encoder::TensorNames names(encoder::family_of(*source.encoder), Format::safetensors);
    return Encoder{.config = *source.encoder, .sentence = source.sentence, .names = names};
  }
  if (source.description.format != Format::gguf) return std::nullopt;
  ModelDescription description = source.description;
  for (const SourceTensor& tensor : source.tensors) description.tensors.push_back(tensor.info);
  QUINTET_TRY(const EncoderConfig config, read_encoder_gguf(description));
  QUINTET_TRY(SentenceConfig sentence, gguf::read_pooling(description));
  const encoder::TensorNames names(encoder::family_of(config), Format::gguf);
  return Encoder{.config = config, .sentence = std::move(sentence), .names = names};
}

// The name in .weights of a tensor. The head does not belong to an embedder, nor do buffers such as position_ids.
std::optional<std::string> name_of(std::string_view name, const Encoder& encoder) {
  const auto ref = encoder.names.ref_of(name);
  if (!ref) return std::nullopt;
  return bert_names().name_of(*ref->spec, ref->layer, ref->is_bias);
}

Status add_jobs(const SourceModel& source, const std::optional<Encoder>& encoder, const ConvertOptions& options,
                Plan& plan) {
  std::vector<SourceTensor> tensors = keeps_all(source, options) ? source.tensors : with_joined_scales(source);
  // In the order of the data. Tensors without data share an offset with others and keep their order.
  std::ranges::stable_sort(tensors, {},
                           [](const SourceTensor& tensor) { return std::pair(tensor.file, tensor.info.offset); });
  for (const SourceTensor& tensor : tensors) {
    const auto name = encoder ? name_of(tensor.info.name, *encoder) : std::optional(tensor.info.name);
    if (name) QUINTET_CHECK(add_job(tensor, *name, source, options, plan));
  }
  return {};
}

// With the names of the source in messages, and the types that are written.
Status check_complete(const Encoder& encoder, const std::vector<Job>& jobs) {
  std::vector<TensorInfo> tensors;
  for (const Job& job : jobs) {
    tensors.push_back(job.output);
    tensors.back().name = job.source.info.name;
  }
  return check_encoder_tensors(encoder.config, encoder.names, tensors);
}

// The number of heads from the caller's metadata for a flat file, 0 if there is none.
Result<size_t> heads_told(const Json& metadata) {
  const Json* value = metadata.find("num_attention_heads");
  if (!value) return 0;
  const std::string_view text = value->as_string() ? std::string_view(*value->as_string()) : std::string_view();
  const auto heads = parse_natural(text);
  if (heads && *heads != 0 && *heads <= SIZE_MAX) return static_cast<size_t>(*heads);
  return input_error(Reason::malformed, "metadata num_attention_heads is not a positive number");
}

// Traits that a .weights file does not store are those of BERT.
Status check_storable(const EncoderConfig& config) {
  const EncoderConfig bert = encoder::bert_config();
  const bool is_bert = config.model_type == bert.model_type && config.activation == bert.activation &&
                       static_cast<float>(config.norm_eps) == static_cast<float>(bert.norm_eps) &&
                       config.has_token_types;
  if (is_bert) return {};
  return unsupported_error(
      "weights stores models of BERT with GELU by erf, layer_norm_eps 1e-12 and token types only, and this is {}; "
      "Embedder loads it as it is",
      encoder::family_of(config).title);
}

Status check_normalizer(const BertNormalizer& normalizer) {
  if (normalizer.clean_text && normalizer.handle_chinese_chars && normalizer.strip_accents && normalizer.lowercase) {
    return {};
  }
  return unsupported_error("weights stores uncased models only; Embedder loads this one as it is");
}

Result<Json> flat_metadata(const SourceModel& source, const ConvertOptions& options) {
  std::vector<TensorInfo> tensors;
  for (const SourceTensor& tensor : source.tensors) tensors.push_back(tensor.info);
  QUINTET_TRY(const size_t heads, heads_told(options.metadata));
  QUINTET_TRY(const EncoderConfig config, read_flat_encoder_config(tensors, heads));
  return embd_metadata(config, kDefaultName);
}

void set_quantization(Json& metadata, const ConvertOptions& options) {
  if (options.quantize == Quantize::keep) return;
  if (!to_int8(options)) return metadata.remove(embd::kQuantizationKey);
  const bool by_row = options.quantize == Quantize::int8_row;
  metadata.set(embd::kQuantizationKey,
               by_row ? "int8-row" : formatted("int8-group-{}", options.group_size.value_or(kDefaultGroup)));
}

}  // namespace

Result<Plan> plan_embedder(const SourceModel& source, const ConvertOptions& options) {
  QUINTET_TRY(const std::optional<Encoder> encoder, encoder_in(source));
  Plan plan{.description = source.description, .jobs = {}};
  if (is_flat(source.description)) {
    QUINTET_TRY(plan.description.metadata, flat_metadata(source, options));
  }
  if (encoder) QUINTET_CHECK(check_storable(encoder->config));
  const TokenizerDescription& tokenizer = source.description.tokenizer;
  if (tokenizer.bpe() || tokenizer.sentencepiece()) {
    return unsupported_error("weights stores WordPiece vocabularies only; Embedder loads this model as it is");
  }
  if (tokenizer.wordpiece()) QUINTET_CHECK(check_normalizer(tokenizer.wordpiece()->normalizer));
  const std::vector<PieceType>& types = tokenizer.piece_types;
  if (std::ranges::find(types, PieceType::user_defined) != types.end()) {
    return unsupported_error("weights stores no added tokens; Embedder loads this model as it is");
  }
  QUINTET_CHECK(add_jobs(source, encoder, options, plan));
  if (encoder) {
    QUINTET_CHECK(check_complete(*encoder, plan.jobs));
    plan.description.metadata = embd_metadata(encoder->config, model_name(source.description.metadata));
    QUINTET_CHECK(embd::append_sentence_metadata(encoder->sentence, plan.description.metadata));
  }
  set_quantization(plan.description.metadata, options);
  return plan;
}

}  // namespace quintet
