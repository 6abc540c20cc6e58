// Integer max-min fair division: nobody can be given more without taking from one who has no more.
//
//   std::vector<FairPart> parts{{.cap = 1}, {.cap = 100}, {.cap = 100}};
//   fair_split(parts, 8, 1);  // rows 1, 4, 3: the unit that does not divide goes to the first from index 1 on
//
// Source: progressive filling (Bertsekas and Gallager, Data Networks, 2nd ed., 6.5.2), in whole units.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace headroom {

struct FairPart {
  std::uint64_t cap = 0;   // the most that this part can take
  std::uint32_t rows = 0;  // what it is given
};

// Divides `total` rows, or as many as the caps allow. Every part is given min(cap, level); the units that are then left
// go one each to the parts whose cap exceeds the level, in cyclic order from index `start`. Gives back the index of
// the part that got the last such unit, parts.size() if there was none. O(parts * log total).
std::size_t fair_split(std::span<FairPart> parts, std::uint32_t total, std::size_t start);

}  // namespace headroom
