#pragma once
// One model file through all that may become of it, beside a copy of its bytes.

#include <string_view>

#include "bench/native/formats/model_file.h"

namespace quintet::bench {

// Prints one line of JSON: the seconds of each repetition. False where something was read wrong.
bool bench_reading(std::string_view name, ModelDescription description, const SeededValues& values, int rounds);

}  // namespace quintet::bench
