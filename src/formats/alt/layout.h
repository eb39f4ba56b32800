#pragma once
// The fixed numbers of an ALT file (docs/formats/alt.md).

#include <cstdint>

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

}  // namespace quintet::alt
