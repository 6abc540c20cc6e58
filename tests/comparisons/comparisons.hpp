// Comparisons that are reported and prove nothing: what one would expect to hold of most scenarios, and does not of all
// (M7 and M8 of the metamorphic properties).
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace headroom::test {

// M7: a limit is raised, one at a time and to the double; is less work admitted under the same arrivals? A table of
// what changed, with the number of those by which it fell.
void compare_raised_limits(const std::vector<std::string>& scenario_files, std::ostream& out);

// M8: a fault is taken away, one at a time; is a property's verdict worse? A table of those that are.
void compare_removed_faults(const std::vector<std::string>& scenario_files, std::ostream& out);

}  // namespace headroom::test
