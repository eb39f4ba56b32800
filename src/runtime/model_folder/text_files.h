#pragma once
// The files of a folder that describe its model, each collected as it arrives.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"

namespace quintet {

class TextFiles {
 public:
  virtual ~TextFiles() = default;

  void begin(std::string_view path);
  Status feed(Bytes chunk);
  Status end();
  const std::string& name() const { return name_; }   // of the current file
  uint64_t position() const { return text_.size(); }  // bytes of the file so far

 private:
  // Receives the whole content of the current file.
  virtual Status add(std::string_view text) = 0;

  std::string name_;
  std::vector<std::byte> text_;
};

}  // namespace quintet
