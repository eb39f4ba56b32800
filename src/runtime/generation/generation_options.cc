#include "runtime/generation/generation_options.h"

#include <limits>

#include "base/json.h"

namespace quintet {

Failure wrong_option(const Json::Member& option, std::string_view expected) {
  return input_error(Reason::out_of_range, "option {}: {} is not {}", option.name, write_json(option.value), expected);
}

namespace {

// A number in [low, high].
Status read_number(const Json::Member& option, double low, double high, std::string_view expected, double& number) {
  const auto value = option.value.as_double();
  if (!value || !(*value >= low && *value <= high)) return wrong_option(option, expected);
  number = *value;
  return {};
}

Status read_share(const Json::Member& option, double& number) {
  return read_number(option, 0, 1, "a number from 0 to 1", number);
}

Result<uint64_t> read_count(const Json::Member& option) {
  const auto value = option.value.as_uint();
  if (!value) return wrong_option(option, "an integer of at least 0");
  return *value;
}

Status read_texts(const Json::Member& option, std::vector<std::string>& texts) {
  const Json::Array* list = option.value.as_array();
  if (!list) return wrong_option(option, "a list of strings");
  texts.clear();
  for (const Json& entry : *list) {
    const std::string* text = entry.as_string();
    if (!text || text->empty()) return wrong_option(option, "a list of non-empty strings");
    texts.push_back(*text);
  }
  return {};
}

// [[token, bias], ...]; JSON has no -infinity, for which null stands.
Status read_bias(const Json::Member& option, std::vector<LogitBias>& biases) {
  const Json::Array* list = option.value.as_array();
  if (!list) return wrong_option(option, "a list of tokens and their biases");
  for (const Json& entry : *list) {
    const Json::Array* pair = entry.as_array();
    const auto token = pair && pair->size() == 2 ? pair->front().as_uint() : std::nullopt;
    const bool forbids = token && pair->back().is_null();
    const auto bias = forbids ? -std::numeric_limits<double>::infinity()
                      : token ? pair->back().as_double()
                              : std::nullopt;
    if (!bias || *token > UINT32_MAX) return wrong_option(option, "a list of tokens and their biases");
    biases.push_back({static_cast<uint32_t>(*token), *bias});
  }
  return {};
}

// { budget, begin, end, closing, begins }
Status read_reasoning(const Json::Member& option, std::optional<ReasoningOptions>& reasoning) {
  const auto member = [&](std::string_view name) { return option.value.find(name); };
  const auto text = [&](std::string_view name) {
    const Json* value = member(name);
    return value ? value->as_string() : nullptr;
  };
  const std::string *begin = text("begin"), *end = text("end"), *closing = text("closing");
  const auto budget = member("budget") ? member("budget")->as_uint() : std::nullopt;
  const auto begins = member("begins") ? member("begins")->as_bool() : std::nullopt;
  if (!begin || begin->empty() || !end || end->empty() || !closing || !budget || !begins) {
    return wrong_option(option, "an object with budget, begin, end, closing and begins");
  }
  reasoning = {.budget = *budget, .begin = *begin, .end = *end, .closing = *closing, .begins = *begins};
  return {};
}

// Bounds that keep penalized logits finite; reasonable values are far within them.
constexpr double kMaxPenalty = 1000;

Status read_option(const Json::Member& option, GenerationOptions& options) {
  SamplingOptions& sampling = options.sampling;
  const std::string& name = option.name;
  if (name == "temperature") return read_number(option, 0, 1000, "a number from 0 to 1000", sampling.temperature);
  if (name == "topP") return read_share(option, sampling.top_p);
  if (name == "minP") return read_share(option, sampling.min_p);
  if (name == "repetitionPenalty") {
    return read_number(option, 1 / kMaxPenalty, kMaxPenalty, "a number from 0.001 to 1000",
                       sampling.repetition_penalty);
  }
  if (name == "frequencyPenalty" || name == "presencePenalty") {
    double& penalty = name == "frequencyPenalty" ? sampling.frequency_penalty : sampling.presence_penalty;
    return read_number(option, -kMaxPenalty, kMaxPenalty, "a number from -1000 to 1000", penalty);
  }
  if (name == "dryMultiplier")
    return read_number(option, 0, kMaxPenalty, "a number from 0 to 1000", sampling.dry.multiplier);
  if (name == "dryBase") return read_number(option, 1, kMaxPenalty, "a number from 1 to 1000", sampling.dry.base);
  if (name == "drySequenceBreakers") return read_texts(option, sampling.dry.breakers);
  if (name == "xtcProbability") return read_share(option, sampling.xtc_probability);
  if (name == "xtcThreshold") return read_share(option, sampling.xtc_threshold);
  if (name == "stop") return read_texts(option, options.stop);
  if (name == "reasoning") return read_reasoning(option, options.reasoning);
  if (name == "logitBias") return read_bias(option, sampling.bias);
  if (name == "resumes") {
    const auto value = option.value.as_bool();
    if (!value) return wrong_option(option, "a boolean");
    sampling.resumes = *value;
  } else if (name == "repeatLastN") {
    QUINTET_TRY(sampling.repeat_last_n, read_count(option));
  } else if (name == "dryAllowedLength") {
    QUINTET_TRY(sampling.dry.allowed_length, read_count(option));
  } else if (name == "dryPenaltyLastN") {
    QUINTET_TRY(sampling.dry.last_n, read_count(option));
  } else if (name == "topK") {
    QUINTET_TRY(sampling.top_k, read_count(option));
  } else if (name == "seed") {
    QUINTET_TRY(sampling.seed, read_count(option));
  } else if (name == "maxTokens") {
    QUINTET_TRY(options.max_tokens, read_count(option));
  } else if (name == "logprobs") {
    QUINTET_TRY(options.logprobs, read_count(option));
  } else {
    return input_error(Reason::unknown_value, "there is no option {}", name);
  }
  return {};
}

}  // namespace

Result<GenerationOptions> read_generation_options(std::string_view json) {
  const auto parsed = parse_json(json);
  const Json::Object* members = parsed ? parsed->as_object() : nullptr;
  if (!members) return input_error(Reason::malformed, "the options are not a JSON object");
  GenerationOptions options;
  for (const Json::Member& option : *members) QUINTET_CHECK(read_option(option, options));
  return options;
}

}  // namespace quintet
