#pragma once
// Writes what a reader has read, through the writer of a format.

#include <cstddef>

#include "tests/formats/reading.h"

namespace quintet::test {

struct WrittenFile {
  File bytes;
  ModelDescription description;  // as the writer's begin() left it: places, sizes, the file's size
};

// The payloads go to the writer in pieces of at most `piece` bytes.
Result<WrittenFile> write_file(const ReadFile& model, Format format, size_t piece = SIZE_MAX);

// Reads a file and writes it in the same format.
Result<File> rewritten(Bytes file, Format format, size_t piece = SIZE_MAX);

// Two readings of one model: descriptions, tokenizers and payloads; places and sizes of files are not compared.
void expect_same_model(const ReadFile& a, const ReadFile& b);

}  // namespace quintet::test
