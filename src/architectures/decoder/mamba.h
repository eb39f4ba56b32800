#pragma once
// The settings of Mamba-2 in all dialects: which layers have it, its sizes, and how they must relate.

#include "architectures/decoder/config.h"
#include "architectures/decoder/families.h"
#include "architectures/decoder/fields.h"

namespace quintet::decoder {

// Each does nothing for families without Mamba-2. After the traits have been read.
Status read_huggingface_mamba(const Family& family, const DecoderFields& fields, DecoderConfig& config);
Status read_gguf_mamba(const Family& family, const DecoderFields& fields, DecoderConfig& config);
// For AMB, whose traits contain everything.
Status check_amb_mamba(const DecoderFields& fields, DecoderConfig& config);

// The greatest number in an array with one for each layer; 0 if the field is not an array.
uint64_t greatest_of_layers(const DecoderFields& fields, std::string_view key);

}  // namespace quintet::decoder
