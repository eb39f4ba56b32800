// JPEG and PNG files become pixels, or a fault that gives the reason.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>

#include "base/hash.h"
#include "bindings/image/decode.h"
#include "tests/golden/fixture.h"

namespace quintet::image {
namespace {

using File = std::vector<uint8_t>;

File picture(const std::string& name) {
  const std::vector<std::byte> bytes = test::read_fixture("images/" + name);
  const auto* begin = reinterpret_cast<const uint8_t*>(bytes.data());
  return {begin, begin + bytes.size()};
}

Fault fault_of(const File& file) { return decode(file).fault; }

constexpr uint32_t kWidth = 40, kHeight = 27;

// A sample of the gradients in tests/fixtures/images.
int gradient(uint32_t x, uint32_t y, size_t channel) {
  return int(channel == 0 ? x * 255 / (kWidth - 1) : channel == 1 ? y * 255 / (kHeight - 1) : 128);
}

void expect_gradient(const std::string& name, int tolerance) {
  const Decoded decoded = decode(picture(name));
  ASSERT_EQ(decoded.fault, Fault::none) << name;
  ASSERT_EQ(decoded.width, kWidth);
  ASSERT_EQ(decoded.height, kHeight);
  for (uint32_t y = 0; y < kHeight; ++y) {
    for (uint32_t x = 0; x < kWidth; ++x) {
      for (size_t c = 0; c < 3; ++c) {
        ASSERT_NEAR(decoded.pixels.get()[(y * kWidth + x) * 3 + c], gradient(x, y, c), tolerance) << name;
      }
    }
  }
}

TEST(DecodeImage, PngIsExact) {
  expect_gradient("gradient.png", 0);
  expect_gradient("alpha.png", 0);
  expect_gradient("interlaced.png", 0);
}

TEST(DecodeImage, JpegIsClose) {
  expect_gradient("gradient.jpg", 8);
  expect_gradient("progressive.jpg", 8);
}

// The file with Exif data after its start, in either byte order.
File with_exif(File file, std::vector<uint8_t> tiff) {
  std::vector<uint8_t> segment = {0xFF, 0xE1, 0, static_cast<uint8_t>(8 + tiff.size()), 'E', 'x', 'i', 'f', 0, 0};
  segment.insert(segment.end(), tiff.begin(), tiff.end());
  file.insert(file.begin() + 2, segment.begin(), segment.end());
  return file;
}
std::vector<uint8_t> little_endian(uint8_t orientation) {
  return {'I', 'I', 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0, 0, 0, 0, 0};
}
std::vector<uint8_t> big_endian(uint8_t orientation) {
  return {'M', 'M', 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0};
}

// Where, according to Exif, the first row and the first column of the stored picture are seen (Exif 2.32, table 6).
struct Sides {
  uint8_t orientation;
  bool is_turned;                  // the first row is seen at the left or the right
  bool row_at_end, column_at_end;  // at the bottom or the right
};
constexpr Sides kSides[] = {{1, false, false, false}, {2, false, false, true}, {3, false, true, true},
                            {4, false, true, false},  {5, true, false, false}, {6, true, true, false},
                            {7, true, true, true},    {8, true, false, true}};

TEST(DecodeImage, ExifTurnsAPhotograph) {
  for (const Sides& sides : kSides) {
    for (const auto& tiff : {little_endian(sides.orientation), big_endian(sides.orientation)}) {
      const Decoded seen = decode(with_exif(picture("gradient.jpg"), tiff));
      ASSERT_EQ(seen.fault, Fault::none);
      ASSERT_EQ(seen.width, sides.is_turned ? kHeight : kWidth);
      ASSERT_EQ(seen.height, sides.is_turned ? kWidth : kHeight);
      for (uint32_t row = 0; row < kHeight; ++row) {
        for (uint32_t column = 0; column < kWidth; ++column) {
          const uint32_t along_rows = sides.row_at_end ? kHeight - 1 - row : row;
          const uint32_t along_columns = sides.column_at_end ? kWidth - 1 - column : column;
          const uint32_t x = sides.is_turned ? along_rows : along_columns,
                         y = sides.is_turned ? along_columns : along_rows;
          for (size_t c = 0; c < 3; ++c) {
            ASSERT_NEAR(seen.pixels.get()[(y * seen.width + x) * 3 + c], gradient(column, row, c), 8)
                << "orientation " << int{sides.orientation} << ", stored at " << column << ", " << row;
          }
        }
      }
    }
  }
}

TEST(DecodeImage, BrokenExifTurnsNothing) {
  const std::vector<uint8_t> whole = little_endian(6);
  for (size_t length = 0; length < 20; ++length) {
    const Decoded seen = decode(with_exif(picture("gradient.jpg"), {whole.begin(), whole.begin() + ptrdiff_t(length)}));
    ASSERT_EQ(seen.fault, Fault::none);
    ASSERT_EQ(seen.width, kWidth) << length << " bytes of Exif";
  }
  std::vector<uint8_t> beyond = whole;
  beyond[4] = beyond[5] = beyond[6] = beyond[7] = 0xFF;  // the place of the directory
  EXPECT_EQ(decode(with_exif(picture("gradient.jpg"), beyond)).width, kWidth);
  for (const uint8_t orientation : {0, 9, 255}) {
    EXPECT_EQ(decode(with_exif(picture("gradient.jpg"), little_endian(orientation))).width, kWidth);
  }
}

TEST(DecodeImage, GrayAndPalettesBecomeRgb) {
  const Decoded gray = decode(picture("gray.png"));
  ASSERT_EQ(gray.fault, Fault::none);
  for (uint32_t x = 0; x < kWidth; ++x) {
    for (size_t c = 0; c < 3; ++c) EXPECT_EQ(gray.pixels.get()[x * 3 + c], gradient(x, 0, 0));
  }
  const Decoded palette = decode(picture("palette.png"));
  ASSERT_EQ(palette.fault, Fault::none);
  ASSERT_EQ(palette.width, 16);
  ASSERT_EQ(palette.height, 2);
  for (int x = 0; x < 16; ++x) {
    const uint8_t* colour = palette.pixels.get() + (16 + x) * 3;
    EXPECT_EQ((std::vector<int>{colour[0], colour[1], colour[2]}), (std::vector<int>{x * 16, 255 - x * 16, x}));
  }
}

TEST(DecodeImage, OtherFilesAreUnknown) {
  for (const File& file : {File{}, File{0xFF}, File{'G', 'I', 'F', '8', '9', 'a'}, File{'B', 'M', 0, 0},
                           File{0x89, 'P', 'N', 'G'}, File{0xFF, 0xD8}, File(100, 0)}) {
    EXPECT_EQ(fault_of(file), Fault::unknown);
  }
}

TEST(DecodeImage, EveryTruncationIsDetected) {
  for (const char* name : {"gradient.png", "gradient.jpg", "palette.png"}) {
    const File whole = picture(name);
    for (size_t length = 8; length < whole.size(); ++length) {
      const Fault fault = fault_of(File(whole.begin(), whole.begin() + ptrdiff_t(length)));
      ASSERT_EQ(fault, Fault::truncated) << name << " of " << length << " bytes";
    }
  }
}

TEST(DecodeImage, EveryWrongByteOfAPngIsDetected) {
  const File whole = picture("palette.png");
  for (size_t at = 8; at < whole.size(); ++at) {
    File broken = whole;
    broken[at] ^= 0x10;
    EXPECT_NE(fault_of(broken), Fault::none) << at;
  }
}

// Changed bytes of a PNG's chunk, under a checksum that is right.
File with_chunk_bytes(File file, size_t chunk, size_t at, std::initializer_list<uint8_t> bytes) {
  std::ranges::copy(bytes, file.begin() + ptrdiff_t(chunk + 8 + at));
  size_t length = 0;
  for (size_t i = 0; i < 4; ++i) length = length << 8 | file[chunk + i];
  const uint32_t crc = crc32(std::as_bytes(std::span(file).subspan(chunk + 4, length + 4)));
  for (size_t i = 0; i < 4; ++i) file[chunk + 8 + length + i] = uint8_t(crc >> (24 - 8 * i));
  return file;
}

TEST(DecodeImage, PngHeadersAreChecked) {
  constexpr size_t kHeader = 8, kWidthAt = 0, kHeightAt = 4, kData = 33;
  const File whole = picture("gradient.png");
  EXPECT_EQ(fault_of(with_chunk_bytes(whole, kHeader, kWidthAt, {0, 0, 0, 0})), Fault::corrupt);
  EXPECT_EQ(fault_of(with_chunk_bytes(whole, kHeader, kHeightAt, {0, 0, 0, 0})), Fault::corrupt);
  EXPECT_EQ(fault_of(with_chunk_bytes(whole, kHeader, kWidthAt, {0xFF, 0xFF, 0xFF, 0xFF})), Fault::too_large);
  EXPECT_EQ(fault_of(with_chunk_bytes(whole, kHeader, kWidthAt, {0, 0, 0x20, 1, 0, 0, 0x20, 0})), Fault::too_large);
  EXPECT_EQ(fault_of(with_chunk_bytes(whole, kHeader, kWidthAt, {0, 0, 0, 41})), Fault::corrupt);  // more than there is
  EXPECT_EQ(fault_of(with_chunk_bytes(whole, kData, 0, {0x00, 0x00, 0x00})), Fault::corrupt);      // no deflate stream
  EXPECT_EQ(fault_of(picture("deep.png")), Fault::deep);
  EXPECT_EQ(fault_of(picture("animated.png")), Fault::animated);
}

// The place where a JPEG's segment with this marker begins.
size_t segment_at(const File& file, uint8_t marker) {
  const std::initializer_list<uint8_t> bytes = {0xFF, marker};
  return size_t(std::search(file.begin(), file.end(), bytes.begin(), bytes.end()) - file.begin());
}

TEST(DecodeImage, JpegFramesAreChecked) {
  const File whole = picture("gradient.jpg");
  const size_t frame = segment_at(whole, 0xC0);
  const auto with = [&](size_t at, std::initializer_list<uint8_t> bytes) {
    File file = whole;
    std::ranges::copy(bytes, file.begin() + ptrdiff_t(frame + at));
    return fault_of(file);
  };
  EXPECT_EQ(with(1, {0xC3}), Fault::coding);  // lossless
  EXPECT_EQ(with(1, {0xC9}), Fault::coding);  // arithmetic
  EXPECT_EQ(with(4, {12}), Fault::deep);
  EXPECT_EQ(with(5, {0, 0}), Fault::corrupt);
  EXPECT_EQ(with(7, {0, 0}), Fault::corrupt);
  EXPECT_EQ(with(5, {0xFF, 0xFF, 0xFF, 0xFF}), Fault::too_large);
  EXPECT_EQ(with(9, {4}), Fault::cmyk);
  EXPECT_EQ(fault_of(picture("cmyk.jpg")), Fault::cmyk);
  EXPECT_EQ(with(9, {2}), Fault::corrupt);
  EXPECT_EQ(with(0, {0x00}), Fault::corrupt);
  EXPECT_EQ(with(2, {0, 1}), Fault::corrupt);
}

// stb_image 2.27 writes beyond its table where there are more.
TEST(DecodeImage, HuffmanTablesHaveAtMost256Symbols) {
  const File whole = picture("gradient.jpg");
  const size_t tables = segment_at(whole, 0xC4);
  constexpr size_t kCounts = 5;  // after marker, length and the table's number
  File broken = whole;
  std::fill_n(broken.begin() + ptrdiff_t(tables + kCounts), 2, uint8_t{200});
  EXPECT_EQ(fault_of(broken), Fault::corrupt);

  // A table after the first scan, with a length that contains it completely.
  File late(whole.begin(), whole.end() - 2);
  late.insert(late.end(), {0xFF, 0xC4, 0x02, 0x13, 0x00});
  late.insert(late.end(), 16, 32);
  late.insert(late.end(), 512, 0);
  late.insert(late.end(), {0xFF, 0xD9});
  EXPECT_EQ(fault_of(late), Fault::corrupt);
}

// Each would be decoded over the whole picture.
TEST(DecodeImage, ScansHaveALimit) {
  const File whole = picture("gradient.jpg");
  const size_t scan = segment_at(whole, 0xDA);
  const auto with_scans = [&](int count) {
    File file(whole.begin(), whole.end() - 2);
    for (int i = 1; i < count; ++i) file.insert(file.end(), whole.begin() + ptrdiff_t(scan), whole.end() - 2);
    file.insert(file.end(), {0xFF, 0xD9});
    return fault_of(file);
  };
  EXPECT_EQ(with_scans(2), Fault::none);
  EXPECT_EQ(with_scans(500), Fault::none);
  EXPECT_EQ(with_scans(501), Fault::corrupt);
}

TEST(DecodeImage, ThumbnailsInJpegsAreNotTheirEnd) {
  File file = picture("gradient.jpg");
  const std::vector<uint8_t> segment = {0xFF, 0xE1, 0x00, 0x08, 0xFF, 0xD8, 0xFF, 0xC4, 0xFF, 0xD9};
  file.insert(file.begin() + 2, segment.begin(), segment.end());
  EXPECT_EQ(fault_of(file), Fault::none);
  file.resize(file.size() - 2);
  EXPECT_EQ(fault_of(file), Fault::truncated);
}

TEST(DecodeImage, BrokenFilesGiveAPictureOrAFault) {
  std::mt19937 random(1);
  for (const char* name : {"gradient.jpg", "alpha.png"}) {
    const File whole = picture(name);
    for (int round = 0; round < 500; ++round) {
      File broken = whole;
      for (int i = 0; i < 3; ++i) broken[random() % broken.size()] = uint8_t(random());
      const Decoded decoded = decode(broken);
      EXPECT_EQ(decoded.pixels != nullptr, decoded.fault == Fault::none);
    }
  }
}

}  // namespace
}  // namespace quintet::image
