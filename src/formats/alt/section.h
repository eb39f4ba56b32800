#pragma once
// How an ALT file begins and ends, and what its sections have in common: marker, size, fields, zeros up to the next
// multiple of 32.

#include <cstdint>
#include <string_view>

#include "base/byte_reader.h"
#include "base/byte_stream.h"
#include "base/byte_writer.h"
#include "base/task.h"
#include "formats/model_description.h"

namespace quintet::alt {

constexpr uint64_t kStartMarker = 0x616C7400;
constexpr uint64_t kOverviewStartMarker = 0x616C7463;  // in the overview of the specification; read, never written
constexpr uint64_t kGeneralMarker = 0xCAFEBABE;
constexpr uint64_t kParametersMarker = 0xDEADBEEF;
constexpr uint64_t kTokenizerMarker = 0xBADDCAFE;
constexpr uint64_t kTensorsMarker = 0xFACEFEED;
constexpr uint64_t kEndMarker = 0x0FFFFFFF;

constexpr int32_t kVersion = 2;
constexpr int32_t kAlignment = 32;  // of sections and of the end marker

constexpr uint64_t kMarkerBytes = 8;
constexpr uint64_t kShortEndMarkerBytes = 4;  // a file may end after these
constexpr uint64_t kSectionHeadBytes = 16;    // marker and size

// Sections without tensors are read in one piece. Far beyond any vocabulary: it bounds what a lie about a size makes us
// gather.
constexpr uint64_t kMaxGatheredBytes = uint64_t{1} << 28;

struct Section {
  std::string_view name;
  uint64_t at = 0;    // of the marker in the file
  uint64_t size = 0;  // as the section says

  uint64_t size_at() const { return at + kMarkerBytes; }
  uint64_t fields_at() const { return at + kSectionHeadBytes; }
};

// Whether the section's size is one of those that writers give for `fields` bytes: with or without the header, with or
// without the padding (docs/formats/alt.md). `uncounted` bytes of the fields may be left out of it.
bool size_fits(const Section& section, uint64_t fields, uint64_t uncounted = 0);
// The error where it does not.
Status check_size(const Section& section, uint64_t fields);
std::unexpected<Error> wrong_size(const Section& section, std::string_view what);

// A 4-byte length and as many bytes of UTF-8. `what` names it in errors.
Result<std::string_view> read_text(ByteReader& in, std::string_view what);

// Takes a section's fields from `bytes`, which begin with them and may go on behind them, and gives their size.
using FieldsReader = Result<uint64_t> (*)(Bytes bytes, const Section& section, ModelDescription& description);

// Marker and size of the section that must come next; the size can hold `least` bytes and lies within the file.
Parse<Section> read_section_head(ByteStream& in, uint64_t marker, std::string_view name, uint64_t least);
// A whole section of which nothing flows on.
Parse<void> read_section(ByteStream& in, uint64_t marker, std::string_view name, uint64_t least,
                         FieldsReader read_fields, ModelDescription& description);
// The zeros up to the next multiple of 32.
Parse<void> read_padding(ByteStream& in);

// Appends a whole section to `out`, which begins where the file does. Fields that `read_fields` would refuse are an
// INPUT error: what the reader demands of a file is what the writer demands of a model.
Status write_section(ByteWriter& out, uint64_t marker, std::string_view name, Bytes fields, FieldsReader read_fields);
void write_padding(ByteWriter& out);

Parse<void> read_start(ByteStream& in);
// The end marker, which may be cut to 4 bytes (docs/formats/alt.md), and nothing behind it.
Parse<void> read_end(ByteStream& in);
// Whether bytes at the place of a section are the end marker's.
bool is_end_marker(Bytes bytes);

void write_start(ByteWriter& out);

}  // namespace quintet::alt
