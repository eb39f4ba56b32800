#pragma once
// The settings of a gated DeltaNet in all dialects: which layers have it, its sizes, and how they must relate.

#include "architectures/decoder/config.h"
#include "architectures/decoder/families.h"
#include "architectures/decoder/fields.h"

namespace quintet::decoder {

// Each does nothing for families without it. Call them after the traits have been read.
Status read_huggingface_delta_net(const Family& family, const DecoderFields& fields, DecoderConfig& config);
Status read_gguf_delta_net(const Family& family, const DecoderFields& fields, DecoderConfig& config);
// For AMB, whose traits contain everything.
Status check_amb_delta_net(const DecoderFields& fields, DecoderConfig& config);

}  // namespace quintet::decoder
