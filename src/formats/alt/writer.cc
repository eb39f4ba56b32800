#include "formats/alt/writer.h"

namespace quintet::alt {

std::unique_ptr<ModelWriter> make_writer() { return nullptr; }

}  // namespace quintet::alt
