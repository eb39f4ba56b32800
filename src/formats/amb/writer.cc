#include "formats/amb/writer.h"

namespace quintet::amb {

std::unique_ptr<ModelWriter> make_writer() { return nullptr; }

}  // namespace quintet::amb
