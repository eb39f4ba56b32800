#include "formats/huggingface/image_fields.h"

#include <algorithm>
#include <cmath>

#include "formats/known_fields.h"
#include "formats/model_description.h"

namespace quintet::huggingface {

std::optional<uint32_t> side_of(const Json& value) {
  const auto number = value.as_uint();
  if (!number || *number == 0 || *number > kMaxInputSide) return std::nullopt;
  return static_cast<uint32_t>(*number);
}

const Json* ImageFields::find(std::string_view key) const {
  const Json* value = config_.find(key);
  return value && value->is_null() ? nullptr : value;
}

Failure ImageFields::wrong(std::string_view key, std::string_view problem) const {
  return fail(Code::format, Reason::malformed, "{}", field_text(where_, key, config_.find(key), problem));
}

Failure ImageFields::unsupported(std::string_view key, std::string_view problem) const {
  return unsupported_error("{}", field_text(where_, key, config_.find(key), problem));
}

Status ImageFields::flag(std::string_view key, bool& value) const {
  const Json* field = find(key);
  if (!field) return {};
  const auto truth = field->as_bool();
  if (!truth) return wrong(key, "expected true or false");
  value = *truth;
  return {};
}

Status ImageFields::positive(std::string_view key, double max, double& value) const {
  const Json* field = find(key);
  if (!field) return {};
  const auto number = field->as_double();
  if (!number || !(*number > 0 && *number <= max)) {
    return wrong(key, formatted("expected a number above 0, up to {}", static_cast<uint64_t>(max)));
  }
  value = *number;
  return {};
}

Status ImageFields::colors(std::string_view key, std::string_view expected, std::array<double, 3>& values) const {
  const Json* field = find(key);
  if (!field) return {};
  const Json::Array* list = field->as_array();
  if (list && list->size() != 1 && list->size() != values.size()) return wrong(key, expected);
  for (size_t i = 0; i < values.size(); ++i) {
    const Json& element = list ? (*list)[list->size() == 1 ? 0 : i] : *field;
    const auto number = element.as_double();
    if (!number || !(std::abs(*number) <= kMaxReal)) return wrong(key, expected);
    values[i] = *number;
  }
  return {};
}

Status ImageFields::normalization(std::string_view mean_key, std::string_view deviation_key,
                                  Normalization& normalization) const {
  constexpr std::string_view kPositive =
      "expected three numbers above 0 in the range of float32, or one for all colors";
  QUINTET_CHECK(
      colors(mean_key, "expected three numbers in the range of float32, or one for all colors", normalization.mean));
  QUINTET_CHECK(colors(deviation_key, kPositive, normalization.deviation));
  const auto is_positive = [](double deviation) { return static_cast<float>(deviation) > 0; };
  if (!std::ranges::all_of(normalization.deviation, is_positive)) return wrong(deviation_key, kPositive);
  return {};
}

Status ImageFields::edges(std::string_view key, bool square, Edges& edges) const {
  const Json* field = find(key);
  if (!field) return {};
  const auto refuse = [&] {
    return wrong(key, formatted("expected a number from 1 to {}, or such numbers as height and width, or as "
                                "shortest_edge and possibly longest_edge",
                                kMaxInputSide));
  };
  edges = {};
  if (const auto side = side_of(*field)) {
    if (square) {
      edges.height = edges.width = *side;
    } else {
      edges.shortest = *side;
    }
    return {};
  }
  const Json::Object* members = field->as_object();
  if (!members) return refuse();
  for (const auto& [name, value] : *members) {
    if (value.is_null()) continue;
    uint32_t* edge = name == "height"          ? &edges.height
                     : name == "width"         ? &edges.width
                     : name == "shortest_edge" ? &edges.shortest
                     : name == "longest_edge"  ? &edges.longest
                                               : nullptr;
    const auto side = side_of(value);
    if (!edge || !side) return refuse();
    *edge = *side;
  }
  if (!edges.is_exact() && !edges.is_shortest()) return refuse();
  return {};
}

}  // namespace quintet::huggingface
