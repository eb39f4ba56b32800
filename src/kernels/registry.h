#pragma once
// The kernel variants in this build, and the one in use.

#include <optional>
#include <span>
#include <string_view>

#include "kernels/kernels.h"

namespace quintet {

// Slowest first: scalar, then what the build's instruction set supports. A WebAssembly module contains only the
// definition and the fastest variant of its set; to step down, its caller loads another module.
template <KernelSet = KernelSet::all>
std::span<const Kernels* const> compiled_kernels();

// The variant in use: the last of compiled_kernels(), or the one forced.
template <KernelSet = KernelSet::all>
const Kernels& active_kernels();

// Selects a variant by name. Returns false and changes nothing if the build does not contain it.
template <KernelSet = KernelSet::all>
bool force_kernels(std::string_view name);

// Runs every kernel of the set on small fixed inputs and compares with the scalar definition (exactly for integer
// results). Returns the name of the first kernel that computes wrong results. An engine may accept an instruction and
// still execute it incorrectly: the relaxed dot product is wrong in the first tier of the V8 of Node 20.
template <KernelSet = KernelSet::all>
std::optional<std::string_view> self_test(const Kernels& kernels);

}  // namespace quintet
