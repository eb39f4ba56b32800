#pragma once
// The properties that an object may have, and the schemas of their values.

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "grammar/json_schema/language.h"
#include "grammar/json_schema/pattern.h"
#include "grammar/json_schema/schema_node.h"

namespace quintet::grammar {

class ObjectKeywords {
 public:
  // Properties that are not listed, of which all have names that match the same patterns.
  struct Others {
    SchemaNode node;       // of their values
    uint32_t matched = 0;  // a bit for each pattern
  };

  // Both must outlive it.
  ObjectKeywords(const SchemaReader& reader, const Schema& schema) : reader_(reader), schema_(schema) {}

  Status read(std::string_view place);

  // The listed properties, in their order, and then those that are only required.
  const std::vector<std::string>& names() const { return names_; }
  // Whether propertyNames allows the name.
  bool allows(const std::string& name);
  SchemaNode node_of(const std::string& name);
  std::vector<Others> others() const;
  // Whether names took too long to match: then nothing of the above counts.
  bool full() const { return languages_.full(); }

  // Whether the names of others depend on more than the names that are listed.
  bool has_patterns() const { return !patterns_.empty(); }
  // The one pattern that the names of others match, if that is all that they keep.
  const Pattern* only_pattern(const Others& others) const;
  // All names of others.
  Result<Language> names_of(Languages& languages, const Others& others, uint32_t longest, std::string_view place) const;

 private:
  struct NamePattern {
    Pattern pattern;
    Language language = 0;
    SchemaPart value = {};
    const Json* owner = nullptr;  // the schema with patternProperties
  };

  Status read_patterns(const SchemaPart& part, std::string_view place);
  Result<Language> allowed(Languages& languages, const SchemaNode& names, uint32_t longest,
                           std::string_view place) const;
  Result<Language> allowed(Languages& languages, const Schema& schema, uint32_t longest, std::string_view place) const;
  SchemaNode node_for(const std::string* name, uint32_t matched) const;
  bool evaluates(const Json& schema, std::string_view place, const std::vector<const Json*>& applied,
                 std::vector<const Json*>& seen) const;

  const SchemaReader& reader_;
  const Schema& schema_;
  std::vector<std::string> names_;
  std::vector<NamePattern> patterns_;
  bool closed_ = false;
  std::optional<std::set<std::string>> listed_;  // by enum or const of propertyNames
  Languages languages_;
  Language allowed_ = Languages::kAll;
};

}  // namespace quintet::grammar
