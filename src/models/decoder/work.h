#pragma once
// The decoder's tasks.

#include "models/pace.h"

namespace quintet::decoder {

using Work = Task<>;

}  // namespace quintet::decoder
