#pragma once
// Resolves $ref: JSON pointers, $anchor and $id within the document.

#include <map>
#include <string>
#include <string_view>

#include "base/json.h"
#include "base/result.h"

namespace quintet::grammar {

struct PlacedJson {
  const Json* json = nullptr;
  std::string place = {};  // a JSON pointer
};

class References {
 public:
  // `root` must outlive it.
  explicit References(const Json& root);

  // The target of the $ref of a schema at `place`. INPUT if there is no such schema; UNSUPPORTED for other documents.
  Result<PlacedJson> find(const Json& schema, std::string_view place, const Json& reference) const;

 private:
  void collect(const PlacedJson& at, const std::string& base);

  std::map<std::string, PlacedJson, std::less<>> named_;  // by $id, and by $id with "#" and $anchor
  std::map<const Json*, std::string> bases_;              // of schemas with $ref in others with $id
};

// The place of a member, as a JSON pointer.
std::string place_below(std::string_view place, std::string_view name);
std::string shown_place(std::string_view place);

}  // namespace quintet::grammar
