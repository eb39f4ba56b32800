#include "formats/alt/parameters_section.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "formats/alt/section.h"

namespace quintet::alt {
namespace {

constexpr std::string_view kParametersName = "parameters";
constexpr std::string_view kActivation = "hidden_act";
constexpr std::string_view kTied = "tie_word_embeddings";
constexpr std::string_view kHeadSize = "head_size";
constexpr std::string_view kFloats[] = {"rope_theta", "rms_norm_eps", "initializer_range"};

struct Size {
  std::string_view name;
  int32_t min;  // minimum value for which the other fields make sense
};
constexpr Size kSizes[] = {{"hidden_size", 1},         {"intermediate_size", 1}, {"max_position_embeddings", 0},
                           {"num_attention_heads", 1}, {"num_hidden_layers", 1}, {"num_key_value_heads", 1},
                           {"sliding_window", 0}};
constexpr size_t kHiddenSize = 0, kAttentionHeads = 3;  // in kSizes

constexpr size_t kWord = 4;  // bytes of every number
constexpr size_t kSizesBytes = kWord * std::size(kSizes);
constexpr size_t kTailBytes = kWord * (std::size(kFloats) + 1);
constexpr uint64_t kMinParametersBytes = kWord + 1 + kSizesBytes + kTailBytes;

// The words after the sizes, in the order of the specification's table and in that of its reference writer
// (docs/formats/alt.md): the positions of the head size and of each of kFloats.
struct TailOrder {
  size_t head_size;
  size_t floats[std::size(kFloats)];
};
constexpr TailOrder kTailOrders[] = {{.head_size = 12, .floats = {0, 4, 8}}, {.head_size = 0, .floats = {8, 4, 12}}};

Status read_tied(ByteReader& in, Json& config) {
  const uint64_t at = in.offset();
  QUINTET_TRY(const auto tied, in.read<uint8_t>());
  if (tied > 1) {
    return format_error(Reason::malformed, at, "{} is {}, not 0 or 1", kTied, tied);
  }
  config.append(kTied, tied == 1);
  return {};
}

Status read_sizes(ByteReader& in, int32_t (&sizes)[std::size(kSizes)], Json& config) {
  const uint64_t begin = in.offset();
  for (size_t i = 0; i < std::size(kSizes); ++i) {
    const uint64_t at = in.offset();
    QUINTET_TRY(sizes[i], in.read<int32_t>());
    if (sizes[i] < kSizes[i].min) {
      return format_error(Reason::limit, at, "{} is {}", kSizes[i].name, sizes[i]);
    }
    config.append(kSizes[i].name, int64_t{sizes[i]});
  }
  if (sizes[kHiddenSize] % sizes[kAttentionHeads] == 0) return {};
  return format_error(Reason::mismatch, begin + kWord * kHiddenSize,
                      "a hidden_size of {} does not divide into {} heads", sizes[kHiddenSize], sizes[kAttentionHeads]);
}

Result<const TailOrder*> find_order(Bytes tail, uint64_t at, int32_t head_size) {
  for (const TailOrder& order : kTailOrders) {
    if (load_le<int32_t>(tail, order.head_size) == head_size) return &order;
  }
  return format_error(Reason::mismatch, at + kTailOrders[0].head_size,
                      "head_size must be hidden_size / num_attention_heads, which is {}", head_size);
}

Status read_tail(ByteReader& in, int32_t head_size, Json& config) {
  const uint64_t at = in.offset();
  QUINTET_TRY(const Bytes tail, in.bytes(kTailBytes));
  QUINTET_TRY(const TailOrder* order, find_order(tail, at, head_size));
  for (size_t i = 0; i < std::size(kFloats); ++i) {
    const auto value = load_le<float>(tail, order->floats[i]);
    if (!std::isfinite(value)) {
      return format_error(Reason::malformed, at + order->floats[i], "{} is not a finite number", kFloats[i]);
    }
    config.append(kFloats[i], double{value});
  }
  config.append(kHeadSize, int64_t{head_size});
  return {};
}

Result<uint64_t> read_parameter_fields(Bytes bytes, const Section& section, ModelDescription& description) {
  ByteReader in(bytes, section.fields_at());
  Json& config = description.config;
  QUINTET_TRY(const std::string_view activation, read_text(in, kActivation));
  config.append(kActivation, activation);
  QUINTET_CHECK(read_tied(in, config));
  int32_t sizes[std::size(kSizes)];
  QUINTET_CHECK(read_sizes(in, sizes, config));
  QUINTET_CHECK(read_tail(in, sizes[kHiddenSize] / sizes[kAttentionHeads], config));
  const uint64_t fields = in.offset() - section.fields_at();
  QUINTET_CHECK(check_size(section, fields));
  return fields;
}

bool is_known(std::string_view key) {
  return key == kActivation || key == kTied || key == kHeadSize || key == kSeqLen ||
         std::ranges::find(kSizes, key, &Size::name) != std::end(kSizes) ||
         std::ranges::find(kFloats, key) != std::end(kFloats);
}

Status check_known_config(const Json& config) {
  for (const auto& [key, value] : *config.as_object()) {
    if (!is_known(key)) return unsupported_error("ALT has no parameter \"{}\"", key);
  }
  return {};
}

Failure missing(std::string_view key, std::string_view kind) {
  return input_error(Reason::missing, "ALT needs the parameter \"{}\", {}", key, kind);
}

Result<const std::string*> config_text(const Json& config, std::string_view key) {
  const Json* value = config.find(key);
  const std::string* text = value ? value->as_string() : nullptr;
  if (!text) return missing(key, "a text");
  return text;
}

Result<bool> config_switch(const Json& config, std::string_view key) {
  const Json* value = config.find(key);
  const auto truth = value ? value->as_bool() : std::nullopt;
  if (!truth) return missing(key, "true or false");
  return *truth;
}

Result<float> config_float(const Json& config, std::string_view key) {
  const Json* value = config.find(key);
  const auto number = value ? value->as_double() : std::nullopt;
  if (!number) return missing(key, "a number");
  return static_cast<float>(*number);
}

}  // namespace

Parse<void> read_parameters(ByteStream& in, ModelDescription& description) {
  return read_section(in, kParametersMarker, kParametersName, kMinParametersBytes, read_parameter_fields, description);
}

Result<int32_t> config_number(const Json& config, std::string_view key) {
  const Json* value = config.find(key);
  const auto number = value ? value->as_uint() : std::nullopt;
  if (!number || *number > INT32_MAX) return missing(key, "a natural number below 2^31");
  return static_cast<int32_t>(*number);
}

Status write_parameters(const Json& config, ByteWriter& out) {
  QUINTET_CHECK(check_known_config(config));
  ByteWriter fields;
  QUINTET_TRY(const std::string* activation, config_text(config, kActivation));
  fields.put(static_cast<int32_t>(activation->size()));
  fields.put_text(*activation);
  QUINTET_TRY(const bool tied, config_switch(config, kTied));
  fields.put(static_cast<uint8_t>(tied));
  for (const Size& size : kSizes) {
    QUINTET_TRY(const int32_t number, config_number(config, size.name));
    fields.put(number);
  }
  for (const std::string_view key : kFloats) {
    QUINTET_TRY(const float number, config_float(config, key));
    fields.put(number);
  }
  QUINTET_TRY(const int32_t head_size, config_number(config, kHeadSize));
  fields.put(head_size);
  return write_section(out, kParametersMarker, kParametersName, fields.bytes(), read_parameter_fields);
}

}  // namespace quintet::alt
