#pragma once
// Preprocessing from a picture to the network's input, according to the files of a folder.

#include <string_view>

#include "base/json.h"
#include "image/prepare.h"

namespace quintet::huggingface {

// preprocessor_config.json of transformers. Missing fields have the default of the processor's class. In files
// that do not name the class, `model_type` of config.json does; without it, it is that of ViT.
// FORMAT for a field with a wrong value, UNSUPPORTED for another class and for a field that might change the result.
Result<Preparation> read_preprocessor_config(const Json& config, std::string_view model_type = {});

// config.json of timm: its pretrained_cfg, or the same fields at the top of older files. Fields are those of timm's
// evaluation, which only uses test_input_size and test_crop_pct when asked to.
Result<Preparation> read_pretrained_cfg(const Json& config);

}  // namespace quintet::huggingface
