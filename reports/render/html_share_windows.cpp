// The windows for which it is known what each tenant could have been given.
#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <vector>

#include "reports/render/html_cells.hpp"
#include "reports/render/html_sections.hpp"
#include "reports/render/html_table.hpp"
#include "reports/render/wording.hpp"

namespace headroom {
namespace {

std::string_view name_of_subject(const RunResult& result, std::uint32_t subject) {
  return subject < result.tenants.size() ? result.tenants[subject].name
                                         : result.groups[subject - result.tenants.size()].name;
}

// Nothing to be got is nothing missed.
double ratio_of(const ShareCell& cell) {
  return cell.optimum > 0 ? cell.served / cell.optimum : 1;
}

struct Worst {
  const ShareWindow* window = nullptr;
  const ShareCell* cell = nullptr;
};

}  // namespace

std::string html_share_windows(const RunResult& result) {
  std::vector<Worst> windows;
  for (const ShareWindow& window : result.share_windows) {
    const auto worst = std::ranges::min_element(window.cells, {}, ratio_of);
    if (worst != window.cells.end()) {
      windows.push_back({&window, &*worst});
    }
  }
  if (windows.empty()) {
    return "";
  }
  std::ranges::stable_sort(windows, {}, [](const Worst& worst) { return ratio_of(*worst.cell); });
  HtmlTable table("Windows held against the max-min optimum, the worst first",
                  {{"worst tenant", "the one that got the least of its optimum"},
                   {"from", "of the window"},
                   {"to", "of the window"},
                   {"of max-min", "rows completed of what it could have been given", true},
                   {"served", "rows completed"},
                   {"optimum", "rows, with the same quotas, shards, nodes and demand"},
                   {"demand", "rows"},
                   {"Jain", "over the tenants that were backlogged throughout"}});
  for (const auto& [window, cell] : windows) {
    const auto instant = [](Time at) {
      return HtmlCell::number(worded_duration(at.since_start()), static_cast<double>(at.nanoseconds()));
    };
    table.row({HtmlCell::words(name_of_subject(result, cell->subject)), instant(window->start), instant(window->end),
               percent_cell(ratio_of(*cell)), decimal_cell(cell->served, 0), decimal_cell(cell->optimum, 1),
               decimal_cell(cell->demand, 0), decimal_cell(window->jain, 4)});
  }
  return table.text();
}

}  // namespace headroom
