#pragma once
// Loads the files of an embedder or a reranker.

#include "bindings/folder_loading.h"
#include "formats/detect.h"
#include "runtime/embedding/embedder_loader.h"

namespace quintet::js {

using LoadingEncoder = FolderLoading<EmbedderLoader>;

}  // namespace quintet::js
