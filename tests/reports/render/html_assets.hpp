// A page without the files that are embedded whole, for golden files.
#pragma once

#include <string>

namespace headroom {

[[nodiscard]] std::string without_assets(std::string page);

}  // namespace headroom
