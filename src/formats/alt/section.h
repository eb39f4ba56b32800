#pragma once
// The start and end of an ALT file, and the common structure of its sections: marker, size, fields, zeros up to the
// next multiple of 32.

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

// Sections without tensors are read in one piece. Far larger than any vocabulary: it limits how much is read because of
// a wrong size.
constexpr uint64_t kMaxGatheredBytes = uint64_t{1} << 28;

struct Section {
  std::string_view name;
  uint64_t at = 0;    // of the marker in the file
  uint64_t size = 0;  // as in the section

  uint64_t size_at() const { return at + kMarkerBytes; }
  uint64_t fields_at() const { return at + kSectionHeadBytes; }
};

// Whether the section's size is one that writers use for `fields` bytes: with or without the header, with or without
// the padding (docs/formats/alt.md). `uncounted` bytes of the fields may be missing in it.
bool size_fits(const Section& section, uint64_t fields, uint64_t uncounted = 0);
// The error otherwise.
Status check_size(const Section& section, uint64_t fields);
Failure wrong_size(const Section& section, std::string_view what);

// A string with a 4-byte length. `what` names it in errors.
Result<std::string_view> read_text(ByteReader& in, std::string_view what);

// Parses the fields of a section at the start of `bytes`, which may be longer. Returns the size of the fields.
using FieldsReader = Result<uint64_t> (*)(Bytes bytes, const Section& section, ModelDescription& description);

// Reads marker and size of the next section. The size must be at least `min` and within the file.
Parse<Section> read_section_head(ByteStream& in, uint64_t marker, std::string_view name, uint64_t min);
// Reads a whole section that is not streamed.
Parse<void> read_section(ByteStream& in, uint64_t marker, std::string_view name, uint64_t min, FieldsReader read_fields,
                         ModelDescription& description);
// The zeros up to the next multiple of 32.
Parse<void> read_padding(ByteStream& in);

// Appends a whole section to `out`, which starts where the file does. Fields that `read_fields` would reject are an
// INPUT error: the writer has the same requirements as the reader.
Status write_section(ByteWriter& out, uint64_t marker, std::string_view name, Bytes fields, FieldsReader read_fields);
void write_padding(ByteWriter& out);

Parse<void> read_start(ByteStream& in);
// Reads the end marker, which may be cut to 4 bytes (docs/formats/alt.md). Nothing may follow.
Parse<void> read_end(ByteStream& in);
// Whether the bytes of a section header are the end marker.
bool is_end_marker(Bytes bytes);

void write_start(ByteWriter& out);

}  // namespace quintet::alt
