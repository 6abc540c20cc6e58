// `--set /json/pointer=VALUE`: changes to a document before it is read.
#pragma once

#include <span>
#include <string>

#include "sim/scenario/json_text.hpp"
#include "sim/scenario/reading.hpp"

namespace headroom {

// VALUE is JSON, or else a text. Objects that are missing on the way are created; a list takes an index that it has, or
// "-" to append. Whether the keys are known is the reader's business. What cannot be set is reported.
void apply_overrides(JsonNode& document, std::span<const std::string> overrides, Reading& reading);

}  // namespace headroom
