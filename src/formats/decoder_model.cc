#include "formats/decoder_model.h"

#include <string>
#include <utility>

#include "formats/decoder_tensors.h"
#include "formats/tokenizer_check.h"

namespace quintet {
namespace {

// An ALT file counts its blocks, which must be as many as its parameters say (RULINGS "ALT" 7);
// elsewhere tensors beyond the model's are kept and not used.
Status check_block_count(const ModelDescription& description, uint64_t layers) {
  if (description.format != Format::alt) return {};
  const std::string beyond = "model.layers." + std::to_string(layers) + ".";
  for (const TensorInfo& info : description.tensors) {
    if (!info.name.starts_with(beyond)) continue;
    return fail({.code = Code::format,
                 .reason = Reason::mismatch,
                 .detail = "the file has more layers than the " + std::to_string(layers) + " of num_hidden_layers",
                 .tensor = info.name});
  }
  return {};
}

Result<DecoderConfig> check(const ModelDescription& description) {
  QUINTET_TRY(DecoderConfig config, decoder_config(description));
  QUINTET_CHECK(check_decoder_tensors(config, description.tensors));
  QUINTET_CHECK(check_block_count(description, config.n_layers));
  QUINTET_CHECK(check_tokenizer(description.tokenizer, config.n_vocab));
  return config;
}

}  // namespace

Result<DecoderConfig> checked_decoder(const ModelDescription& description) {
  auto config = check(description);
  if (config) return config;
  Error error = std::move(config).error();
  const TensorInfo* tensor = description.find_tensor(error.tensor);
  if (!error.offset && tensor) error.offset = tensor->offset;
  if (!error.offset) error.offset = description.file_size;
  return fail(std::move(error));
}

}  // namespace quintet
