#pragma once
// The rules of a grammar for a JSON schema.

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "grammar/json_schema/language.h"
#include "grammar/json_schema/object_keywords.h"
#include "grammar/json_schema/pattern_gbnf.h"
#include "grammar/json_schema/schema_node.h"

namespace quintet::grammar {

// The rule that matches no value.
constexpr std::string_view kNever = "";

class SchemaRules {
 public:
  explicit SchemaRules(const Json& root) : root_(root), reader_(root) {}

  // The whole grammar.
  Result<std::string> gbnf();

 private:
  // The name of the rule for a node; empty if nothing validates, as below.
  Result<std::string> rule_of(SchemaNode node, std::string_view wanted);
  Result<std::string> body_of(const SchemaNode& node, std::string_view name);
  Result<std::string> choices_of(const Schema& schema, std::string_view place, std::string_view name);

  Result<std::string> array_of(const Schema& schema, std::string_view place, std::string_view name);
  Result<std::optional<std::vector<std::string>>> few_items_of(const Schema& schema, std::string_view place);
  std::string unique_array_of(const std::vector<std::string>& texts, const Schema& schema, std::string_view name);
  Result<std::string> object_of(const Schema& schema, std::string_view place, std::string_view name);
  Result<std::string> key_of_others(const ObjectKeywords& keywords, const ObjectKeywords::Others& others,
                                    const Schema& schema, std::string_view place, std::string_view name);
  Result<std::string> string_of(const Schema& schema, std::string_view place, std::string_view name);
  Result<std::string> number_of(const Schema& schema, std::string_view place, std::string_view name);

  // The rule for the texts of a language, as JSON writes them, with `end` after them; kNever if there are none.
  // `find` returns the language with at most `longest` repetitions: fewer if there are too many states.
  using FindLanguage = std::function<Result<Language>(Languages& languages, uint32_t longest)>;
  Result<std::string> language_rule(const FindLanguage& find, std::string_view end, std::string_view place,
                                    std::string_view name);
  std::string add_states(const std::vector<LanguageState>& states, std::string_view end, std::string_view name);

  std::string new_name(std::string_view wanted);
  std::string add_rule(std::string_view wanted, std::string body);
  // For parts of patterns.
  AddRule adding_parts();
  // The members of an object, in the order of the list.
  struct Pair {
    std::string rule;  // for its name and value
    bool required = false;
  };
  std::string members_of(const std::vector<Pair>& pairs, const std::string& others, bool may_be_empty,
                         std::string_view name);

  const Json& root_;
  SchemaReader reader_;
  std::vector<std::pair<std::string, std::string>> rules_;
  std::set<std::string, std::less<>> names_;  // in use
  std::set<std::string, std::less<>> used_;   // by rules that are not finished yet
  using Key = std::vector<std::pair<const Json*, SchemaPart::Followed>>;
  std::map<Key, std::string> known_;                // rules of nodes
  std::map<std::string, std::string> known_texts_;  // rules of strings by their keywords
  std::map<std::string, std::string> known_parts_;  // of parts of patterns by their bodies
  int depth_ = 0;
  size_t states_ = 0;  // of languages, that were looked for
};

}  // namespace quintet::grammar
