#include "tests/hostile/recipe.h"

#include <algorithm>

#include "tests/formats/expected.h"

namespace quintet::test {
namespace {

uint64_t number(const Json& object, std::string_view name) { return *object.find(name)->as_uint(); }

File bytes_of_hex(const std::string& hex) {
  File bytes;
  for (size_t i = 0; i < hex.size(); i += 2) {
    bytes.push_back(static_cast<std::byte>(std::stoul(hex.substr(i, 2), nullptr, 16)));
  }
  return bytes;
}

void append(File& out, const Json& piece) {
  const File bytes = bytes_of_hex(*piece.find("hex")->as_string());
  const uint64_t times = piece.find("repeat") ? number(piece, "repeat") : 1;
  for (uint64_t i = 0; i < times; ++i) out.insert(out.end(), bytes.begin(), bytes.end());
}

File edited(const File& base, const Json& recipe) {
  const Json* edits = recipe.find("edits");
  if (!edits) return base;
  Json::Array ordered = *edits->as_array();
  std::ranges::sort(ordered, {}, [](const Json& edit) { return number(edit, "at"); });
  File out;
  size_t at = 0;
  for (const Json& edit : ordered) {
    const size_t begin = static_cast<size_t>(number(edit, "at"));
    out.insert(out.end(), base.begin() + static_cast<std::ptrdiff_t>(at),
               base.begin() + static_cast<std::ptrdiff_t>(begin));
    if (const Json* pieces = edit.find("pieces")) {
      for (const Json& piece : *pieces->as_array()) append(out, piece);
    } else {
      append(out, edit);
    }
    at = begin + static_cast<size_t>(number(edit, "delete"));
  }
  out.insert(out.end(), base.begin() + static_cast<std::ptrdiff_t>(at), base.end());
  return out;
}

std::string list_of(Format format) { return "malformed/" + std::string(name_of(format)) + ".json"; }

}  // namespace

std::vector<Format> formats_with_recipes() {
  return {Format::embd, Format::safetensors, Format::amb, Format::alt, Format::tinyruntime};
}

std::vector<BrokenFile> broken_files(Format format) { return broken_files(list_of(format)); }

std::vector<BrokenFile> broken_files(const std::string& list) {
  std::vector<BrokenFile> files;
  for (const Json& recipe : *json_fixture(list).as_array()) {
    BrokenFile file;
    file.id = *recipe.find("id")->as_string();
    file.bytes = edited(fixture(*recipe.find("base")->as_string()), recipe);
    file.expect = *recipe.find("expect")->as_string();
    file.inspectable = recipe.find("when") != nullptr;
    if (const Json* offset = recipe.find("offset")) file.offset = offset->as_uint();
    if (const Json* lengths = recipe.find("truncate_to")) {
      for (const uint64_t length : numbers(*lengths)) {
        files.push_back(file);
        files.back().id += "#" + std::to_string(length);
        files.back().bytes.resize(static_cast<size_t>(length));
      }
    } else if (const Json* flips = recipe.find("flips")) {
      for (const Json& flip : *flips->as_array()) {
        const auto place = numbers(flip);
        files.push_back(file);
        files.back().id += "#" + std::to_string(place[0]) + "=" + std::to_string(place[1]);
        files.back().bytes[static_cast<size_t>(place[0])] = static_cast<std::byte>(place[1]);
      }
    } else {
      files.push_back(std::move(file));
    }
  }
  return files;
}

}  // namespace quintet::test
