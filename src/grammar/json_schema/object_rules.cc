// Objects: the properties that are listed, in their order, and others by their names.

#include <algorithm>
#include <iterator>
#include <utility>

#include "grammar/json_schema/gbnf_text.h"
#include "grammar/json_schema/object_keywords.h"
#include "grammar/json_schema/other_keys.h"
#include "grammar/json_schema/schema_rules.h"

namespace quintet::grammar {

Result<std::string> SchemaRules::object_of(const Schema& schema, std::string_view place, std::string_view name) {
  ObjectKeywords keywords(reader_, schema);
  QUINTET_CHECK(keywords.read(place));
  std::vector<Pair> pairs;
  size_t required = 0;
  for (const std::string& each : keywords.names()) {
    const bool needed = std::ranges::find(schema.required, each) != schema.required.end();
    std::string rule(kNever);
    if (keywords.allows(each)) {
      QUINTET_TRY(rule, rule_of(keywords.node_of(each), formatted("{}-{}", name, each)));
    }
    if (rule == kNever && needed) return std::string(kNever);
    if (rule == kNever) continue;
    const std::string key = quoted(formatted("\"{}\"", json_escaped(each)));
    pairs.push_back(
        {add_rule(formatted("{}-{}-kv", name, each), formatted("{} space \":\" space {}", key, rule)), needed});
    required += needed ? 1 : 0;
  }
  if (keywords.full()) {
    return input_error(Reason::limit, "JSON schema: it takes too long to match the names at {}", shown_place(place));
  }
  std::string others;
  for (const ObjectKeywords::Others& each : keywords.others()) {
    QUINTET_TRY(const std::string rule, rule_of(each.node, formatted("{}-other", name)));
    if (rule == kNever) continue;
    QUINTET_TRY(const std::string key, key_of_others(keywords, each, schema, place, name));
    if (key == kNever) continue;
    others += (others.empty() ? "" : " | ") +
              add_rule(formatted("{}-other-kv", name), formatted("{} space \":\" space {}", key, rule));
  }
  if (!others.empty()) others = formatted("({})", others);
  // Names that occur twice count once, so that only the largest number of others can be kept.
  const bool only_others = pairs.empty() && !others.empty();
  const size_t max = others.empty() ? pairs.size() : kUnbounded;
  const bool counts =
      schema.min_properties <= std::max<size_t>(required, 1) && (only_others || schema.max_properties >= max);
  if (!counts) {
    return unsupported_error(
        "JSON schema: the keywords minProperties and maxProperties at {} are not supported, unless all properties are "
        "required or listed",
        shown_place(place));
  }
  const bool may_be_empty = required == 0 && schema.min_properties == 0;
  if (schema.min_properties > schema.max_properties) return std::string(kNever);
  if (only_others && schema.max_properties != kUnbounded) {
    if (schema.max_properties == 0) return std::string("\"{\" space \"}\"");
    const std::string more = formatted("(\",\" space {}){}", others, repetition(0, schema.max_properties - 1));
    return formatted("\"{\" space ({} {}){} space \"}\"", others, more, may_be_empty ? "?" : "");
  }
  if (pairs.empty() && others.empty()) return std::string(may_be_empty ? "\"{\" space \"}\"" : kNever);
  std::string members = members_of(pairs, others, may_be_empty, name);
  // Models like the order of the schema; llama.cpp puts required properties first.
  const auto by_need = [](const Pair& a, const Pair& b) { return a.required && !b.required; };
  if (!std::ranges::is_sorted(pairs, by_need)) {
    std::vector<Pair> by_turns;
    for (const bool needed : {true, false}) {
      std::ranges::copy_if(pairs, std::back_inserter(by_turns),
                           [&](const Pair& pair) { return pair.required == needed; });
    }
    members += " | " + members_of(by_turns, others, may_be_empty, name);
  }
  return formatted("\"{\" space ({}) space \"}\"", members);
}

// The rule for the names of others.
Result<std::string> SchemaRules::key_of_others(const ObjectKeywords& keywords, const ObjectKeywords::Others& others,
                                               const Schema& schema, std::string_view place, std::string_view name) {
  const std::string wanted = formatted("{}-other-key", name);
  const bool listed = !keywords.names().empty();
  if (!keywords.has_patterns() && schema.names.empty()) {
    return listed ? add_rule(wanted, other_keys(keywords.names())) : std::string("string");
  }
  if (!keywords.has_patterns() && !listed) {
    SchemaNode node = schema.names;
    node.push_back({.json = &reader_.string_schema()});
    return rule_of(std::move(node), wanted);
  }
  const Pattern* only = keywords.only_pattern(others);
  if (const auto direct = only ? string_pattern_gbnf(*only, 0, kUnbounded, adding_parts()) : std::nullopt) {
    return add_rule(wanted, *direct);
  }
  const auto find = [&](Languages& languages, uint32_t longest) {
    return keywords.names_of(languages, others, longest, place);
  };
  QUINTET_TRY(const std::string rule, language_rule(find, kQuote, place, wanted));
  return rule == kNever ? rule : add_rule(wanted, formatted("{} {}", kQuote, rule));
}

// Alternatives by the first member; after that one, commas stand before all others.
std::string SchemaRules::members_of(const std::vector<Pair>& pairs, const std::string& others, bool may_be_empty,
                                    std::string_view name) {
  const std::string more = others.empty() ? "" : formatted("(\",\" space {})*", others);
  size_t first_required = 0;
  while (first_required < pairs.size() && !pairs[first_required].required) ++first_required;
  // After the first required one, a sequence.
  std::string rest;
  for (size_t i = first_required + 1; i < pairs.size(); ++i) {
    const std::string next = "\",\" space " + pairs[i].rule;
    rest += " " + (pairs[i].required ? next : formatted("({})?", next));
  }
  if (!more.empty()) rest += " " + more;
  std::string text;
  const auto add = [&](const std::string& alternative) { text = alternative + (text.empty() ? "" : " | " + text); };
  if (first_required == pairs.size()) {
    if (may_be_empty) add("\"\"");
    if (!others.empty()) add(formatted("{} {}", others, more));
    rest = more;
  } else {
    add(pairs[first_required].rule + rest);
    rest = formatted("\",\" space {}{}", pairs[first_required].rule, rest);
  }
  // `rest` follows pair i.
  for (size_t i = first_required; i-- > 0;) {
    add(pairs[i].rule + (rest.empty() ? "" : " " + rest));
    if (i == 0) break;
    rest = add_rule(formatted("{}-rest", name),
                    formatted("(\",\" space {})?{}", pairs[i].rule, rest.empty() ? "" : " " + rest));
  }
  return text;
}

}  // namespace quintet::grammar
