#include "tests/golden/fixture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace quintet::test {

std::vector<std::byte> read_fixture(const std::string& path) {
  std::ifstream file(std::string(QUINTET_FIXTURES) + "/" + path, std::ios::binary);
  EXPECT_TRUE(file.is_open()) << path;
  const std::vector<char> content{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  std::vector<std::byte> bytes(content.size());
  if (!content.empty()) std::memcpy(bytes.data(), content.data(), content.size());
  return bytes;
}

std::vector<std::string> fixtures_in(const std::string& folder, const std::string& extension) {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(QUINTET_FIXTURES) + "/" + folder)) {
    if (entry.path().extension() == extension) paths.push_back(folder + "/" + entry.path().filename().string());
  }
  std::ranges::sort(paths);
  return paths;
}

Npy read_npy(const std::string& path) {
  const std::vector<std::byte> bytes = read_fixture(path);
  constexpr size_t kFixedHeader = 10;
  if (bytes.size() < kFixedHeader) return {};
  uint16_t header_length = 0;
  std::memcpy(&header_length, bytes.data() + 8, sizeof header_length);
  const std::string header(reinterpret_cast<const char*>(bytes.data()) + kFixedHeader, header_length);
  Npy array;
  EXPECT_NE(header.find("'<f4'"), std::string::npos) << path << ": " << header;
  EXPECT_EQ(std::sscanf(header.c_str() + header.find("'shape': (") + 10, "%zu, %zu", &array.rows, &array.cols), 2)
      << path << ": " << header;
  array.values.resize(array.rows * array.cols);
  const size_t start = kFixedHeader + header_length;
  EXPECT_EQ(bytes.size() - start, array.values.size() * sizeof(float)) << path;
  std::memcpy(array.values.data(), bytes.data() + start, array.values.size() * sizeof(float));
  return array;
}

}  // namespace quintet::test
