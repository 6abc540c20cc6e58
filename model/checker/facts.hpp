// Facts as text.
#pragma once

#include <string>
#include <vector>

#include "model/checker/model.hpp"

namespace headroom::checker {

// "row a1: pending", a line for each fact.
[[nodiscard]] std::string text_of(const Facts& facts);

// "row a1: pending -> claimed by n1", for each fact whose value differs, in the order of `after`; then facts that are
// no more. Facts of one name are told apart by their order.
[[nodiscard]] std::vector<std::string> changes_between(const Facts& before, const Facts& after);

}  // namespace headroom::checker
