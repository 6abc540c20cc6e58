#include "model/checker/check.hpp"
#include "model/checker/cluster/cluster_model.hpp"

namespace headroom::checker {

CheckResult check(const ClusterModel& model, const Options& options) {
  HEADROOM_ASSERT(options.symmetry == model.scope().symmetry, "symmetry is {} in the options and {} in the scope",
                  options.symmetry, model.scope().symmetry);
  return check<ClusterModel>(model, options);
}

}  // namespace headroom::checker
