#include "formats/decoder_config.h"

namespace quintet {

Result<DecoderConfig> read_amb_config(const Json&) { return unsupported_error("not yet"); }
Result<DecoderConfig> read_alt_parameters(const Json&, const ModelDescription&) { return unsupported_error("not yet"); }
Result<DecoderConfig> read_huggingface_config(const Json&) { return unsupported_error("not yet"); }
Result<DecoderConfig> decoder_config(const ModelDescription&) { return unsupported_error("not yet"); }
Json amb_config(const DecoderConfig&) { return Json::object(); }
Result<Json> alt_parameters(const DecoderConfig&) { return unsupported_error("not yet"); }

}  // namespace quintet
