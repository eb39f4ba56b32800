#include "architectures/decoder/decoder.h"

#include <string>
#include <utility>

#include "architectures/decoder/tensor_check.h"
#include "formats/model_description.h"
#include "formats/tokenizer_check.h"

namespace quintet {
namespace {

// An ALT file stores its number of blocks, which must match its parameters (docs/formats/alt.md, "Tensors"). In other
// formats, additional tensors are allowed and not used.
Status check_block_count(const ModelDescription& description, uint64_t layers) {
  if (description.format != Format::alt) return {};
  const std::string beyond = formatted("model.layers.{}.", layers);
  for (const TensorInfo& info : description.tensors) {
    if (!info.name.starts_with(beyond)) continue;
    return tensor_error(Code::format, Reason::mismatch, info,
                        "the file has more layers than the {} of num_hidden_layers", layers);
  }
  return {};
}

Status check(DecoderConfig& config, const ModelDescription& description) {
  if (description.format == Format::alt) QUINTET_CHECK(infer_alt_vocabulary(config, description));
  QUINTET_CHECK(check_decoder_tensors(config, decoder::TensorNames(description), description.tensors));
  QUINTET_CHECK(check_block_count(description, config.n_layers));
  return check_tokenizer(description.tokenizer, config.n_vocab);
}

Failure in_file(Failure failure, const ModelDescription& description) {
  const TensorInfo* tensor = description.find_tensor(failure.error().tensor);
  return at_offset(std::move(failure), tensor ? tensor->offset : description.file_size);
}

}  // namespace

Result<DecoderConfig> read_decoder_config(const ModelDescription& description) {
  switch (description.format) {
    case Format::alt:
      return read_alt_parameters(description);
    case Format::amb:
      return read_amb_config(description.config);
    case Format::safetensors:
      return read_huggingface_config(description.config);
    case Format::gguf:
      return read_gguf_config(description);
    case Format::embd:
    case Format::tinyruntime:
      break;
  }
  return input_error(Reason::mismatch, "a file of format {} contains no decoder", name_of(description.format));
}

Status check_decoder(DecoderConfig& config, const ModelDescription& description) {
  Status status = check(config, description);
  if (!status) return in_file(failure_of(std::move(status)), description);
  return {};
}

Result<DecoderConfig> checked_decoder(const ModelDescription& description) {
  Result<DecoderConfig> config = read_decoder_config(description);
  if (!config) return in_file(failure_of(std::move(config)), description);
  QUINTET_CHECK(check_decoder(*config, description));
  return config;
}

}  // namespace quintet
