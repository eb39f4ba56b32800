#pragma once
// The layout and the constants of an AMB file (docs/formats/amb.md).

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace quintet::amb {

constexpr std::string_view kMagic = "AMBEE";
constexpr uint8_t kVersion = 1;
constexpr uint16_t kHasChecksum = 1;  // flag bit 0: a CRC-32 of all bytes before it follows the weights

constexpr size_t kHeaderBytes = 28;
constexpr uint64_t kChecksumBytes = 4;
constexpr uint64_t kAlignment = 8;  // of the file offset after a tensor

namespace header_at {
constexpr size_t kMagic = 0;
constexpr size_t kVersion = 5;
constexpr size_t kFlags = 6;
constexpr size_t kMetadataSize = 8;
constexpr size_t kConfigSize = 12;
constexpr size_t kTokenizerSize = 16;
constexpr size_t kWeightsSize = 20;
}  // namespace header_at

constexpr std::string_view kArchitecture = "architecture";
constexpr std::string_view kRequiredConfig[] = {kArchitecture, "n_vocab", "n_embd", "n_layers", "n_heads"};

// The tokenizer section: type, special ids, vocabulary.
enum TokenizerCode : uint8_t { kBpe = 0, kSentencePiece = 1, kWordPiece = 2, kCustom = 3 };
constexpr size_t kSpecialIds = 5;  // BOS, EOS, PAD, UNK, MASK
constexpr uint16_t kNoId = 0xFFFF;
constexpr size_t kTokenizerHeadBytes = 1 + kSpecialIds * sizeof(uint16_t);

// A tensor record: name length, name, number of dimensions, dimensions, data type, for quantized types their fields and
// the scales, data size, data, padding.
constexpr uint64_t kMaxNameBytes = UINT16_MAX;
constexpr size_t kMaxDimensions = UINT8_MAX;
constexpr uint64_t kQuantizationBytes = 4;  // quant type, block size, scale type
constexpr size_t kDataSizeBytes = 8;

// The plain data types; tensor/block_types.h has the numbers of the quantized ones.
enum DataType : uint8_t { kFp32 = 0, kFp16 = 1, kBf16 = 2 };
enum ScaleType : uint8_t { kScaleFp32 = 0, kScaleFp16 = 1 };

}  // namespace quintet::amb
