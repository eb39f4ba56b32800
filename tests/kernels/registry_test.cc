#include "kernels/registry.h"

#include <cmath>

#include "tests/kernels/variants.h"

namespace quintet::testing {
namespace {

// A row of the list of kernels.
struct Row {
  std::string_view kernel;
  KernelSet sets;
  bool (*is_in)(const Kernels& table);
  void (*disable)(Kernels& table);  // from then on it does nothing
};

constexpr Row kRows[] = {
#define QUINTET_ROW(kernel, type, sets, source)                                              \
  {#kernel, kernel_sets::sets, [](const Kernels& table) { return table.kernel != nullptr; }, \
   [](Kernels& table) { table.kernel = [](auto...) {}; }},
    QUINTET_KERNELS(QUINTET_ROW)
#undef QUINTET_ROW
};

TEST(Registry, BeginsWithTheDefinitionAndNamesAreUnique) {
  const auto all = compiled_kernels();
  ASSERT_EQ(all.size(), QUINTET_RELAXED ? 3u : 2u);
  EXPECT_EQ(all[0]->name, "scalar");
  EXPECT_EQ(all[1]->name, "simd128");
  EXPECT_EQ(all.back()->name, QUINTET_RELAXED ? "relaxed" : "simd128");
}

TEST(Registry, TheLastIsInUseUntilAnotherIsForced) {
  EXPECT_EQ(&active_kernels(), compiled_kernels().back());
  for (const Kernels* kernels : compiled_kernels()) {
    EXPECT_TRUE(force_kernels(kernels->name));
    EXPECT_EQ(&active_kernels(), kernels);
  }
  EXPECT_TRUE(force_kernels("scalar"));
  EXPECT_FALSE(force_kernels("avx512"));
  EXPECT_FALSE(force_kernels(""));
  EXPECT_EQ(active_kernels().name, "scalar");
  EXPECT_TRUE(force_kernels(compiled_kernels().back()->name));
}

template <KernelSet kSet>
void expect_its_kernels_alone() {
  for (const Kernels* table : compiled_kernels<kSet>()) {
    for (const Row& row : kRows) {
      EXPECT_EQ(row.is_in(*table), intersect(row.sets, kSet)) << row.kernel << " of " << table->name;
    }
  }
}

TEST(Registry, ATableHasTheKernelsOfItsSet){
#define QUINTET_EXPECT(set) expect_its_kernels_alone<KernelSet::set>();
    QUINTET_KERNEL_SETS(QUINTET_EXPECT)
#undef QUINTET_EXPECT
}

TEST(Registry, EveryKernelIsInASet) {
  for (const Row& row : kRows) EXPECT_TRUE(intersect(row.sets, KernelSet::all)) << row.kernel;
}

// Fails for a kernel whose check notices nothing.
template <KernelSet kSet>
void expect_that_broken_kernels_are_named() {
  for (const Kernels* table : compiled_kernels<kSet>()) {
    EXPECT_EQ(self_test<kSet>(*table), std::nullopt) << table->name;
    for (const Row& row : kRows) {
      if (!intersect(row.sets, kSet)) continue;
      Kernels broken = *table;
      row.disable(broken);
      EXPECT_EQ(self_test<kSet>(broken), row.kernel) << table->name;
    }
  }
}

TEST(SelfTest, EveryKernelHasACheckThatNamesIt){
#define QUINTET_EXPECT(set) expect_that_broken_kernels_are_named<KernelSet::set>();
    QUINTET_KERNEL_SETS(QUINTET_EXPECT)
#undef QUINTET_EXPECT
}

// Integers leave nothing to tolerate: the last bit of one element counts.
TEST(SelfTest, OneWrongBitOfIntegersIsDetected) {
  Kernels broken = scalar_kernels();
  broken.gemm_i8 = [](const GemmI8Operands& in, const Epilogue& epilogue, PanelRange panels) {
    scalar_kernels().gemm_i8(in, epilogue, panels);
    float& last = in.c.row(in.rows - 1)[in.w.rows() - 1];
    last = std::nextafter(last, 1e9f);
  };
  EXPECT_EQ(self_test(broken), "gemm_i8");
}

TEST(SelfTest, OneWrongFloatIsDetected) {
  for (const Kernels* kernels : compiled_kernels()) {
    Kernels broken = *kernels;
    broken.softmax_rows = [](const SoftmaxOperands& in) {
      scalar_kernels().softmax_rows(in);
      in.x.row(in.rows - 1)[in.cols - 1] *= 1.05f;
    };
    EXPECT_EQ(self_test(broken), "softmax_rows") << kernels->name;
  }
}

}  // namespace
}  // namespace quintet::testing
