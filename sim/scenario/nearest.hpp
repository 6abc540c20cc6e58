// The known name that a misspelt one was probably meant to be.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace headroom {

// What would be right instead of `name`: `did you mean "nodes"?`, or the known names where none is near.
[[nodiscard]] std::string suggest(std::string_view name, std::span<const std::string_view> known);

}  // namespace headroom
