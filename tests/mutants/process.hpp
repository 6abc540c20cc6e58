// A program run to its end, with what it printed.
#pragma once

#include <string>
#include <vector>

namespace headroom::mutants {

struct ProcessEnd {
  int exit_status = 0;  // -1: a signal ended it
  bool out_of_time = false;
  std::string out;
  std::string err;
  double seconds = 0;
};

// `environment`: "NAME=value", in front of this process's own. `cpu_seconds`: processor time that it may use; 0: any.
// Ends this program with a message if the other cannot be started.
[[nodiscard]] ProcessEnd run_process(const std::vector<std::string>& arguments,
                                     const std::vector<std::string>& environment, int cpu_seconds);

}  // namespace headroom::mutants
