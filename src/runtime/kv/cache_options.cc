#include "runtime/kv/cache_options.h"

#include <string>

#include "base/json.h"

namespace quintet::kv {
namespace {

// The options before it is known whether they can be combined.
struct Said {
  SaveOptions options;
  bool compressed = false;
  std::string_view needs_compression;  // an option that requires compression
};

Failure refused(std::string_view option, std::string_view why) {
  return input_error(Reason::out_of_range, "option {}: {}", option, why);
}

Failure unknown(const Json::Member& option, std::string_view known) {
  return input_error(Reason::unknown_value, "there is no option {}, only {}", option.name, known);
}

// "" if it is not a string.
std::string_view text_of(const Json& value) {
  const std::string* text = value.as_string();
  return text ? std::string_view(*text) : std::string_view();
}

Status read_flag(const Json::Member& option, bool& flag) {
  const auto value = option.value.as_bool();
  if (!value) return refused(option.name, "expected true or false");
  flag = *value;
  return {};
}

Status read_dtype(const Json::Member& option, Dtype& dtype) {
  const auto named = dtype_named(text_of(option.value));
  const bool known = named == Dtype::f32 || named == Dtype::f16 || named == Dtype::bf16;
  if (!known) return refused(option.name, "expected F32, F16 or BF16");
  dtype = *named;
  return {};
}

Status read_layout(const Json::Member& option, Layout& layout) {
  const std::string_view text = text_of(option.value);
  if (text != "packed" && text != "float") return refused(option.name, "expected packed or float");
  layout = text == "packed" ? Layout::packed : Layout::rounded;
  return {};
}

Status read_save_option(const Json::Member& option, Said& said) {
  SaveOptions& options = said.options;
  if (option.name == "dtype") return read_dtype(option, options.dtype);
  if (option.name == "sampler") return read_flag(option, options.sampler);
  if (option.name == "compression") {
    const std::string_view text = text_of(option.value);
    said.compressed = text == "INT4";
    return said.compressed || text == "none" ? Status() : refused(option.name, "expected none or INT4");
  }
  if (option.name == "layout") {
    said.needs_compression = option.name;
    return read_layout(option, options.layout);
  }
  if (option.name == "groupSize") {
    said.needs_compression = option.name;
    options.group = option.value.as_uint();
    const bool known = options.group == 32 || options.group == 64 || options.group == 128;
    return known ? Status() : refused(option.name, "expected 32, 64 or 128");
  }
  return unknown(option, "dtype, sampler, compression, layout and groupSize");
}

// Ids are stored as I32.
constexpr uint64_t kMaxId = INT32_MAX;

Status read_tokens(const Json::Member& option, std::vector<uint32_t>& tokens) {
  const Json::Array* list = option.value.as_array();
  if (!list) return refused(option.name, "expected a list of ids");
  for (const Json& entry : *list) {
    const auto id = entry.as_uint();
    if (!id || *id > kMaxId) return refused(option.name, write_json(entry) + " is not a token id");
    tokens.push_back(static_cast<uint32_t>(*id));
  }
  return {};
}

Status read_load_option(const Json::Member& option, LoadOptions& options) {
  if (option.name == "tokens") return read_tokens(option, options.tokens.emplace());
  if (option.name == "sampler") return read_flag(option, options.sampler);
  return unknown(option, "tokens and sampler");
}

template <class Options>
Status read_members(const Json& json, Status (*read)(const Json::Member&, Options&), Options& options) {
  const Json::Object* members = json.as_object();
  if (!members) return input_error(Reason::malformed, "the options are not a JSON object");
  for (const Json::Member& option : *members) QUINTET_CHECK(read(option, options));
  return {};
}

}  // namespace

Result<SaveOptions> read_save_options(std::string_view json) {
  const Json parsed = parse_json(json).value_or(Json());
  Said said;
  said.options.layout = Layout::packed;
  QUINTET_CHECK(read_members(parsed, read_save_option, said));
  if (!said.compressed) {
    if (!said.needs_compression.empty()) return refused(said.needs_compression, "it needs compression INT4");
    said.options.layout = Layout::plain;
  }
  return said.options;
}

Result<LoadOptions> read_load_options(std::string_view json) {
  const Json parsed = parse_json(json).value_or(Json());
  LoadOptions options;
  QUINTET_CHECK(read_members(parsed, read_load_option, options));
  return options;
}

Result<Storage> storage_for(const SaveOptions& options, uint64_t head_dim) {
  Storage storage = {.dtype = options.dtype, .layout = head_dim == 0 ? Layout::plain : options.layout};
  if (storage.layout != Layout::plain) {
    QUINTET_TRY(storage.group, group_for(head_dim, options.group));
  }
  return storage;
}

}  // namespace quintet::kv
