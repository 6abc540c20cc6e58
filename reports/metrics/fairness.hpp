// Fair parts, to hold what tenants got against. Jain's index is in model/properties/backlogged_fairness.hpp.
//
//   max_min_split({{1, 8, 8}}, {{1, 1, 2}}, 13)      // 1, 4, 8
//
// Doubles, from + - * / alone, so that they are the same on every machine.
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace headroom {

// The weighted max-min fair split of a capacity: nobody gets more than its demand, and who gets less than its demand
// gets weight * level, with the same level for all of them. By progressive filling (Bertsekas and Gallager, Data
// Networks, 6.5.2). Needs as many weights, all positive, as demands, and nothing negative.
[[nodiscard]] std::vector<double> max_min_split(std::span<const double> demands, std::span<const double> weights,
                                                double capacity);

// Each tenant's weight-proportional max-min part of what all of them were served, as a fraction of it. Nothing when
// nobody was served. What the tenants asked for in all must not be below `served`, their sum.
[[nodiscard]] std::optional<std::vector<double>> entitled_shares(std::span<const double> demands,
                                                                 std::span<const double> weights, double served);

}  // namespace headroom
