#include "kernels/generic/attention_value.h"
#include "kernels/generic/qk_scores.h"
#include "kernels/simd128/arithmetic.h"
#include "kernels/variants.h"

namespace quintet::simd128 {

void qk_scores(const ScoreOperands& operands) { generic::qk_scores<Arithmetic>(operands); }

void attention_value(const ValueOperands& operands) { generic::attention_value<Arithmetic>(operands); }

}  // namespace quintet::simd128
