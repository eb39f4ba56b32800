#include "kernels/generic/attention_value.h"
#include "kernels/generic/qk_scores.h"
#include "kernels/relaxed/arithmetic.h"
#include "kernels/variants.h"

namespace quintet::relaxed {

void qk_scores(const ScoreOperands& operands) { generic::qk_scores<Arithmetic>(operands); }

void attention_value(const ValueOperands& operands) { generic::attention_value<Arithmetic>(operands); }

}  // namespace quintet::relaxed
