#pragma once
// Low-rank adapters (Hu et al. 2021, arXiv:2106.09685) of several tasks in one model, of which one is chosen, as Jina
// v3 has them (Sturua et al. 2024, arXiv:2409.10173): W + alpha / rank * B A of the task.

#include <cstdint>
#include <string_view>

#include "base/json.h"
#include "base/result.h"
#include "formats/sentence_config.h"

namespace quintet {

struct EncoderConfig;

struct LoraTask {
  uint64_t number = 0, tasks = 0;  // of the chosen one, and how many there are
  uint64_t rank = 0;
  double scale = 0;  // alpha / rank

  bool operator==(const LoraTask&) const = default;
};

// From config.json: sets EncoderConfig::lora, and adds the instructions of the tasks to the prompts, that of the chosen
// one as the default. `task`: its name; empty: none, which leaves the weights as they are. INPUT for a task that the
// model does not have.
Status read_lora_json(const Json& config, std::string_view task, EncoderConfig& encoder, SentenceConfig& sentence);

}  // namespace quintet
