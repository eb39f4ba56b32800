#pragma once
// e^x for probabilities: the same bits on every machine, and quick enough for whole vocabularies. Standard libraries
// differ in the last digit, and with it a seed would give another text.

namespace quintet {

// Of x <= 0, with a relative error below 1e-11; 0 below -708, where results would be subnormal.
double exponential(double x);

}  // namespace quintet
