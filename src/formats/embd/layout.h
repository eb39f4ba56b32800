#pragma once
// The layout of a .weights file, explained in docs/formats/weights.md.

#include <array>
#include <cstdint>
#include <string_view>

#include "tensor/dtype.h"

namespace quintet::embd {

constexpr std::string_view kMagic = "EMBD";
constexpr std::string_view kEndMagic = "DBME";
constexpr uint16_t kVersionMajor = 1;
constexpr uint16_t kVersionMinor = 0;

constexpr uint64_t kHeaderBytes = 64;
constexpr uint64_t kMetadataHeaderBytes = 8;
constexpr uint64_t kVocabularyHeaderBytes = 12;
constexpr uint64_t kSpecialIds = 5;
constexpr uint64_t kSpecialIdBytes = kSpecialIds * 4;
constexpr uint64_t kDescriptorBytes = 32;
constexpr uint64_t kMaxDimensions = 4;
constexpr uint64_t kFooterBytes = 16;
constexpr uint64_t kTensorAlignment = 64;

constexpr uint32_t kVocabEmbedded = 1u << 0;
constexpr uint32_t kTensorsAligned = 1u << 1;
constexpr uint32_t kChecksumEnabled = 1u << 2;
constexpr uint32_t kCompressed = 1u << 3;
constexpr uint32_t kKnownFlags = kVocabEmbedded | kTensorsAligned | kChecksumEnabled | kCompressed;

// Offsets within the header.
namespace header_at {
constexpr size_t kMagic = 0, kVersionMajor = 4, kVersionMinor = 6, kFlags = 8, kMetadataOffset = 12, kMetadataSize = 16,
                 kVocabOffset = 20, kVocabSize = 24, kTensorIndexOffset = 28, kTensorIndexCount = 32,
                 kTensorDataOffset = 36, kTensorDataSize = 40, kTotalFileSize = 48, kHeaderChecksum = 56,
                 kReserved = 60;
}
// Offsets within a tensor's descriptor.
namespace descriptor_at {
constexpr size_t kNameHash = 0, kDtype = 4, kDimensions = 5, kNameLength = 6, kShape = 8, kDataOffset = 24;
}
// Offsets within the footer.
namespace footer_at {
constexpr size_t kDataChecksum = 0, kFileChecksum = 4, kMagic = 8, kReserved = 12;
}

// The codes of data types, 0 to 8, are the first values of Dtype.
constexpr uint8_t kDtypeCodes = 9;
static_assert(static_cast<uint8_t>(Dtype::f32) == 0 && static_cast<uint8_t>(Dtype::u8) == kDtypeCodes - 1);

constexpr std::string_view kQuantizationKey = "quantization";
constexpr std::string_view kScaleSuffix = ".scale";

}  // namespace quintet::embd
