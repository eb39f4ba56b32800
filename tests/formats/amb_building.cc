#include "tests/formats/amb_building.h"

namespace quintet::test {

AmbBuilder& AmbBuilder::add(const AmbRecord& record) {
  records_.push_back(record);
  return *this;
}

File AmbBuilder::file(uint64_t hidden) const {
  ByteWriter out;
  out.put_text(std::string_view("AMBEE\x01\0\0", 8));
  out.put(static_cast<uint32_t>(metadata.size()));
  out.put(static_cast<uint32_t>(config.size()));
  out.put(static_cast<uint32_t>(tokenizer.size()));
  out.put(uint64_t{0});
  out.put_text(metadata);
  out.put_text(config);
  out.put_text(tokenizer);
  for (const AmbRecord& record : records_) {
    out.put(static_cast<uint16_t>(record.name.size()));
    out.put_text(record.name);
    out.put(static_cast<uint8_t>(record.shape.size()));
    for (const uint32_t dimension : record.shape) out.put(dimension);
    out.put(record.type);
    out.put_text(record.quantization);
    out.put(record.data_size);
    out.put_text(record.data);
    if (hidden == 0) out.put_zeros((8 - out.size() % 8) % 8);
  }
  out.set(20, static_cast<uint64_t>(out.size() - weights_begin() + hidden));
  return out.take();
}

}  // namespace quintet::test
