#pragma once
// JSON schemas (2020-12) as what a value must keep all at once: a node is a list of schemas, which allOf and $ref
// extend.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "grammar/json_schema/number_range.h"
#include "grammar/json_schema/references.h"
#include "grammar/syntax.h"

namespace quintet::grammar {

struct SchemaPart {
  // Keywords that were followed already, and do not count any more.
  enum Followed : uint8_t {
    kNothing = 0,
    kNullable = 1,    // `nullable`
    kReferences = 2,  // $ref, allOf, anyOf, oneOf, `nullable`: only its own keywords are left
  };

  const Json* json = nullptr;
  std::string place = {};  // a JSON pointer, for messages
  Followed followed = kNothing;
};

using SchemaNode = std::vector<SchemaPart>;

// Bits of the types that a value may have. Numbers that are not integers have their own bit.
enum SchemaType : uint8_t {
  kNull = 1,
  kBoolean = 2,
  kString = 4,
  kInteger = 8,
  kFraction = 16,
  kArray = 32,
  kObject = 64,
  kAnyType = 127,
};

struct SchemaProperty {
  std::string name;
  SchemaNode node;
};

// All keywords of a node together.
struct Schema {
  uint8_t types = kAnyType;
  uint8_t mentioned = 0;  // types that keywords are about, if there is no `type`
  bool typed = false;
  bool never = false;
  std::optional<std::vector<Json>> values;  // of enum and const
  std::optional<NumberBound> min;
  std::optional<NumberBound> max;
  uint32_t min_length = 0;
  uint32_t max_length = kUnbounded;
  std::vector<std::string> patterns;
  std::vector<std::string> formats;
  std::vector<double> divisors;  // of multipleOf
  std::vector<Json> excluded;    // by `not` with enum or const
  uint32_t min_items = 0;
  uint32_t max_items = kUnbounded;
  bool has_min_items = false;
  bool unique_items = false;
  uint32_t min_properties = 0;
  uint32_t max_properties = kUnbounded;
  std::vector<SchemaPart> objects;  // those with keywords of properties
  std::vector<SchemaPart> arrays;   // those with prefixItems or items
  std::vector<SchemaPart> names;    // of propertyNames
  std::vector<std::string> required;
  std::vector<std::vector<SchemaPart>> choices;  // anyOf and oneOf: one of each
  std::vector<SchemaPart> parts;                 // all schemas that add limits, followed already
};

class SchemaReader {
 public:
  // `root` must outlive it.
  explicit SchemaReader(const Json& root);

  // Follows $ref and allOf. INPUT for a keyword with a wrong value, UNSUPPORTED for one that cannot be kept.
  Result<Schema> read(const SchemaNode& node) const;
  // A node that only refers to another one becomes that, so that both are known as the same.
  Result<SchemaNode> resolved(SchemaNode node) const;
  const References& references() const { return references_; }
  // A schema for strings.
  const Json& string_schema() const { return string_; }

 private:
  Status add(const SchemaPart& part, SchemaNode& left, Schema& schema) const;

  References references_;
  Json null_;  // schemas of one type
  Json string_;
};

// The schema that a keyword of this one has.
SchemaPart below(const SchemaPart& part, std::string_view keyword, const Json& json);

}  // namespace quintet::grammar
