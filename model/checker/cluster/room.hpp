// Where a thread works out what may happen in a state; kept from one state to the next, so that it does not allocate.
#pragma once

#include <cstddef>
#include <vector>

#include "model/checker/cluster/cluster_model.hpp"
#include "model/checker/cluster/interchange.hpp"

namespace headroom::checker {

struct ClusterModel::Room {
  ClusterSnapshot snapshot;
  Interchange rows;
  Remembered past;
  Effects effects;
  std::vector<Cluster> copies;

  Cluster& copy(std::size_t depth, const Cluster& of) {
    if (depth < copies.size()) {
      copies[depth] = of;
    } else {
      copies.push_back(of);
    }
    return copies[depth];
  }
};

inline ClusterModel::Room& ClusterModel::room() {
  thread_local Room room;
  return room;
}

}  // namespace headroom::checker
