// Cluster: what the HTTP side and the outbox do together.
#include "model/base/assert.hpp"
#include "model/base/mutation.hpp"
#include "model/cluster/cluster.hpp"

namespace headroom {

// The handler's effect and its rows are one write: both are there when the request is answered, or neither.
void Cluster::apply(const FinishRequest& action, Step step) {
  HEADROOM_ASSERT(api_.has_value(), "an action of the HTTP side, which is not there");
  if (!api_->may_finish(action)) {
    return;
  }
  const bool appends = mutated(Mutation::answered_without_rows)    ? false
                       : mutated(Mutation::failed_handler_appends) ? true
                                                                   : action.succeeded;
  if (appends && !action.rows.empty()) {
    apply(AppendRows{action.rows}, step);
  }
  api_->finish(action.request, action.succeeded ? HandlerOutcome::succeeded : HandlerOutcome::failed, step.at,
               step.effects);
}

void Cluster::apply(const ExpireCheckout& action, Step step) {
  HEADROOM_ASSERT(api_.has_value(), "an action of the HTTP side, which is not there");
  const ExecutionId execution = api_->apply(action, step.at, step.effects);
  if (!execution.is_none()) {
    finish_execution(execution, false, step);
  }
}

}  // namespace headroom
