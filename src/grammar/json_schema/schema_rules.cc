#include "grammar/json_schema/schema_rules.h"

#include <algorithm>
#include <utility>

#include "base/flag_list.h"
#include "grammar/json_schema/gbnf_text.h"
#include "grammar/json_schema/json_schema.h"
#include "grammar/json_schema/schema_keywords.h"
#include "grammar/json_schema/value_texts.h"

namespace quintet::grammar {
namespace {

constexpr size_t kMaxRules = 20000;
constexpr size_t kMaxChoices = 1000;
constexpr int kMaxDepth = 150;

bool is_of_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
}

bool is_name(std::string_view text) { return std::ranges::all_of(text, is_of_name); }

// The rules of a grammar by name, of a text with one in each line.
std::vector<std::pair<std::string_view, std::string_view>> lines_of(std::string_view text) {
  std::vector<std::pair<std::string_view, std::string_view>> lines;
  while (!text.empty()) {
    const auto line = text.substr(0, text.find('\n'));
    lines.emplace_back(line.substr(0, line.find(' ')), line);
    text.remove_prefix(line.size() + 1);
  }
  return lines;
}

}  // namespace

Result<std::string> SchemaRules::gbnf() {
  const auto common = lines_of(common_rules());
  for (const auto& [name, line] : common) names_.emplace(name);
  names_.emplace("root");
  QUINTET_TRY(const std::string root, rule_of({{.json = &root_}}, "start"));
  if (root == kNever) return input_error(Reason::malformed, "JSON schema: no value validates");
  std::string text = formatted("root ::= {}\n", root);
  for (const auto& [name, body] : rules_) text += formatted("{} ::= {}\n", name, body);
  // Adds the common rules that are used, and those that these use.
  FlagList added(common.size());
  for (size_t at = 0; at < text.size(); ++at) {
    const size_t begin = at;
    while (is_of_name(text[at])) ++at;
    const auto word = std::string_view(text).substr(begin, at - begin);
    const auto used = std::ranges::find(common, word, [](const auto& rule) { return rule.first; });
    if (used == common.end() || added[static_cast<size_t>(used - common.begin())]) continue;
    text.append(used->second).append("\n");
    added[static_cast<size_t>(used - common.begin())] = true;
  }
  return text;
}

std::string SchemaRules::new_name(std::string_view wanted) {
  constexpr size_t kLongest = 60;
  std::string name;
  for (const char c : wanted.substr(wanted.size() - std::min(wanted.size(), kLongest))) {
    name += is_of_name(c) ? c : '-';
  }
  std::string unique = name;
  for (size_t count = names_.size(); !names_.insert(unique).second; ++count) unique = formatted("{}-{}", name, count);
  return unique;
}

std::string SchemaRules::add_rule(std::string_view wanted, std::string body) {
  std::string name = new_name(wanted);
  rules_.emplace_back(name, std::move(body));
  return name;
}

Result<std::string> SchemaRules::rule_of(SchemaNode node, std::string_view wanted) {
  QUINTET_TRY(node, reader_.resolved(std::move(node)));
  Key key;
  for (const SchemaPart& part : node) key.emplace_back(part.json, part.followed);
  std::ranges::sort(key);
  key.erase(std::unique(key.begin(), key.end()), key.end());
  if (const auto known = known_.find(key); known != known_.end()) {
    used_.insert(known->second);
    return known->second;
  }
  const std::string place = node.empty() ? "" : node[0].place;
  if (known_.size() == kMaxRules || depth_ == kMaxDepth) {
    return input_error(Reason::limit, "JSON schema: too many or too deeply nested schemas, at {}", shown_place(place));
  }
  const std::string name = new_name(wanted);
  known_.emplace(key, name);
  ++depth_;
  auto body = body_of(node, name);
  --depth_;
  if (!body) return body;
  if (used_.contains(name)) {
    // Rules that refer to themselves have this name already. One that is never over stands for no value at all.
    rules_.emplace_back(name, *body == kNever ? "\" \" " + name : *body);
    return *body == kNever ? std::string(kNever) : name;
  }
  if (*body == kNever || is_name(*body)) {
    known_[key] = *body;
    return body;
  }
  rules_.emplace_back(name, *std::move(body));
  return name;
}

Result<std::string> SchemaRules::body_of(const SchemaNode& node, std::string_view name) {
  QUINTET_TRY(Schema schema, reader_.read(node));
  const std::string place = node.empty() ? "" : node[0].place;
  if (schema.never) return std::string(kNever);
  if (!schema.choices.empty()) return choices_of(schema, place, name);
  if (schema.values) return values_gbnf(schema, place);
  if (!schema.typed && schema.mentioned != 0) schema.types &= schema.mentioned;
  if (schema.types == kAnyType && schema.mentioned == 0 && schema.excluded.empty()) return std::string("value");
  std::string text;
  const auto add = [&](const std::string& alternative) {
    if (alternative != kNever) text += (text.empty() ? "" : " | ") + alternative;
  };
  const auto has = [&](uint8_t types) { return (schema.types & types) != 0; };
  if (has(kObject)) {
    QUINTET_TRY(const std::string object, object_of(schema, place, name));
    add(object);
  }
  if (has(kArray)) {
    QUINTET_TRY(const std::string array, array_of(schema, place, name));
    add(array);
  }
  if (has(kString)) {
    QUINTET_TRY(const std::string string, string_of(schema, place, name));
    add(string);
  }
  if (has(kInteger | kFraction)) {
    QUINTET_TRY(const std::string number, number_of(schema, place, name));
    add(number);
  }
  for (const Json& each : {Json(true), Json(false), Json()}) {
    if (!has(type_of(each))) continue;
    const std::string json = write_json(each);
    const auto is_it = [&](const Json& other) { return write_json(other) == json; };
    if (std::ranges::none_of(schema.excluded, is_it)) add(quoted(json));
  }
  return text;
}

// One schema of each anyOf or oneOf, in all combinations, together with the keywords next to them.
Result<std::string> SchemaRules::choices_of(const Schema& schema, std::string_view place, std::string_view name) {
  size_t combinations = 1;
  for (const auto& choice : schema.choices) {
    combinations *= choice.size();
    if (combinations > kMaxChoices) {
      return input_error(Reason::limit, "JSON schema: more than {} combinations of anyOf and oneOf at {}", kMaxChoices,
                         shown_place(place));
    }
  }
  std::string text;
  for (size_t i = 0; i < combinations; ++i) {
    SchemaNode node = schema.parts;
    size_t rest = i;
    for (const auto& choice : schema.choices) {
      node.push_back(choice[rest % choice.size()]);
      rest /= choice.size();
    }
    QUINTET_TRY(const std::string rule, rule_of(std::move(node), formatted("{}-{}", name, i + 1)));
    if (rule != kNever) text += (text.empty() ? "" : " | ") + rule;
  }
  return text;
}

Result<std::string> json_schema_gbnf(std::string_view json) {
  auto schema = parse_json(json);
  if (!schema) {
    schema.error().code = Code::input;
    schema.error().detail.insert(0, "JSON schema: ");
    return failure_of(std::move(schema));
  }
  if (schema->as_bool() == true) {
    schema = Json::object();
    schema->set("type", "object");
  }
  return SchemaRules(*schema).gbnf();
}

}  // namespace quintet::grammar
