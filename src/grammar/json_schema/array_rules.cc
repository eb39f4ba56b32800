// Lists: of items by their place, or of different items.

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "base/decimal.h"
#include "grammar/json_schema/gbnf_text.h"
#include "grammar/json_schema/schema_rules.h"
#include "grammar/json_schema/value_texts.h"

namespace quintet::grammar {
namespace {

// There is a rule for each set of items that a list may have.
constexpr size_t kMaxUnique = 8;

}  // namespace

Result<std::string> SchemaRules::array_of(const Schema& schema, std::string_view place, std::string_view name) {
  if (schema.unique_items && schema.max_items > 1) {
    // A grammar cannot compare others.
    QUINTET_TRY(const auto few, few_items_of(schema, place));
    if (few) return unique_array_of(*few, schema, name);
  }
  const auto prefix_of = [](const SchemaPart& part) -> const Json::Array* {
    const Json* prefix = part.json->find("prefixItems");
    if (!prefix) prefix = part.json->find("items");
    return prefix ? prefix->as_array() : nullptr;
  };
  const auto rest_keyword = [](const SchemaPart& part) {
    return part.json->get("items").as_array() ? "additionalItems" : "items";
  };
  const auto rest_of = [&](const SchemaPart& part) { return part.json->find(rest_keyword(part)); };
  size_t prefixes = 0;
  bool closed = true;
  for (const SchemaPart& part : schema.arrays) {
    if (const Json::Array* prefix = prefix_of(part)) prefixes = std::max(prefixes, prefix->size());
    closed = closed && !rest_of(part);
  }
  closed = closed && prefixes > 0;
  size_t max = schema.max_items;
  if (closed) max = std::min(max, prefixes);
  const auto item_rule = [&](size_t index) {
    SchemaNode node;
    for (const SchemaPart& part : schema.arrays) {
      const Json::Array* prefix = prefix_of(part);
      if (prefix && index < prefix->size()) {
        const std::string keyword = part.json->find("prefixItems") ? "prefixItems" : "items";
        const std::string list = place_below(part.place, keyword);
        node.push_back({.json = &(*prefix)[index], .place = place_below(list, write_natural(index))});
      } else if (const Json* rest = rest_of(part)) {
        node.push_back(below(part, rest_keyword(part), *rest));
      }
    }
    return rule_of(std::move(node), formatted("{}-item{}", name, index < prefixes ? write_natural(index + 1) : ""));
  };
  std::vector<std::string> items;
  for (size_t i = 0; i < std::min(prefixes, max); ++i) {
    QUINTET_TRY(std::string item, item_rule(i));
    if (item == kNever) max = i;
    items.push_back(std::move(item));
  }
  std::string rest;
  if (max > prefixes) {
    QUINTET_TRY(rest, item_rule(prefixes));
    if (rest == kNever) max = prefixes;
  }
  const size_t min = schema.has_min_items ? schema.min_items : std::min(prefixes, max);
  if (min > max) return std::string(kNever);
  // The rule after the items up to `count`, from the end to the beginning.
  std::string tail;
  if (max > prefixes) {
    const auto more = [&](size_t bound) {
      return bound == kUnbounded ? kUnbounded : static_cast<uint32_t>(bound - std::min(bound, prefixes));
    };
    uint32_t min_count = more(min);
    uint32_t highest = more(max);
    if (prefixes > 0) {
      tail = formatted("(\",\" space {}){}", rest, repetition(min_count, highest));
    } else {
      const std::string others =
          formatted("(\",\" space {}){}", rest,
                    repetition(min_count - (min_count > 0 ? 1 : 0), highest == kUnbounded ? kUnbounded : highest - 1));
      tail = formatted("{} {}", rest, others);
      if (min_count == 0) tail = formatted("({})?", tail);
    }
  }
  for (size_t i = std::min(prefixes, max); i-- > 0;) {
    std::string begin = (i > 0 ? "\",\" space " : "") + items[i];
    if (!tail.empty()) begin += " " + tail;
    tail = i < min ? begin : formatted("({})?", begin);
    // Groups must not nest as deeply as there are items.
    if (i >= min && i > 0) tail = add_rule(formatted("{}-rest", name), tail);
  }
  return formatted("\"[\" space {}\"]\"", tail.empty() ? "" : tail + " space ");
}

// The items of a list, if they are few values that the schema lists.
Result<std::optional<std::vector<std::string>>> SchemaRules::few_items_of(const Schema& schema,
                                                                          std::string_view place) {
  SchemaNode node;
  for (const SchemaPart& part : schema.arrays) {
    const Json* items = part.json->find("items");
    if (part.json->find("prefixItems") || (items && items->as_array())) return std::nullopt;
    if (items) node.push_back(below(part, "items", *items));
  }
  QUINTET_TRY(Schema item, reader_.read(node));
  if (!item.values || !item.choices.empty() || item.never) return std::nullopt;
  std::vector<std::string> texts;
  const std::vector<Json> values = *std::move(item.values);
  for (const Json& value : values) {
    if (value.as_array() || value.as_object()) return std::nullopt;
    item.values = {value};
    QUINTET_TRY(std::string text, values_gbnf(item, place));
    const bool known = std::ranges::find(texts, text) != texts.end();
    if (text != kNever && !known) texts.push_back(std::move(text));
  }
  if (texts.size() > kMaxUnique) return std::nullopt;
  return texts;
}

// Arrays of different items, in any order.
std::string SchemaRules::unique_array_of(const std::vector<std::string>& texts, const Schema& schema,
                                         std::string_view name) {
  const size_t max = std::min<size_t>(schema.max_items, texts.size());
  if (schema.min_items > max) return std::string(kNever);
  // The rules after the items of each set.
  std::vector<std::string> after(size_t{1} << texts.size());
  const auto next = [&](size_t set) {
    std::string alternatives;
    for (size_t i = 0; i < texts.size(); ++i) {
      const size_t with = set | size_t{1} << i;
      if (with == set) continue;
      const std::string begin = (alternatives.empty() ? "" : " | ") + texts[i];
      alternatives += after[with].empty() ? begin : formatted("{} {}", begin, after[with]);
    }
    return alternatives;
  };
  for (size_t set = after.size(); --set > 0;) {
    const auto count = static_cast<size_t>(std::popcount(set));
    if (count >= max) continue;
    const std::string more = formatted("\",\" space ({})", next(set));
    after[set] = add_rule(formatted("{}-more", name), count < schema.min_items ? more : formatted("({})?", more));
  }
  if (max == 0) return std::string("\"[\" space \"]\"");
  return formatted("\"[\" space ({}{}", next(0), schema.min_items == 0 ? ")? space \"]\"" : ") space \"]\"");
}

}  // namespace quintet::grammar
