#include <catch2/catch.hpp>

#include "tests/model/cluster/small_cluster.hpp"

namespace headroom {
namespace {

TEST_CASE("a sweep that meets a store error gives the planner's turn back") {
  ClusterConfig config = cluster_of(1, 1, {tenant("a", 4), tenant("b", 4), tenant("c", 4)});
  config.batch_size = 1;
  SmallCluster small(config);
  for (std::uint32_t name = 0; name < 3; ++name) {
    small.append(name, 0, 4);
  }
  small.step(PlanSweep{NodeId(0)});
  small.step(ClaimNext{NodeId(0)});
  small.step(FailSweep{NodeId(0), true});
  CHECK(small.sweep(0) == std::vector<std::uint32_t>{1, 0, 0});  // whom the failed one would have served
  CHECK(small.sweep(0) == std::vector<std::uint32_t>{0, 1, 0});
}

}  // namespace
}  // namespace headroom
