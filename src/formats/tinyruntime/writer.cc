#include "formats/tinyruntime/writer.h"

namespace quintet::tinyruntime {

std::unique_ptr<ModelWriter> make_writer() { return nullptr; }

}  // namespace quintet::tinyruntime
