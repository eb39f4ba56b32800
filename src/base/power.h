#pragma once

namespace quintet {

// base^exponent for a base above 0 and an exponent between -2^63 and 2^63, within a few digits of the last place. It
// consists of products and square roots, which round in the same way everywhere, so all builds compute the same
// frequencies; and std::pow brings tables that are larger than any of ours.
double power(double base, double exponent);
// The logarithm of a number above 0, likewise: std::log brings a table, too.
double natural_log(double x);

}  // namespace quintet
