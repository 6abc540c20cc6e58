// The promises of the gate (spec 2.4) judged over one step of a GateModel, by the rules that properties of a run ask.
#pragma once

#include "model/checker/gate/gate_model.hpp"

namespace headroom::checker {

using GateStep = Step<GateModel>;

[[nodiscard]] Reason judge_gate_safety(const GateScope& scope, const GateStep& step);
// The part that one step shows: nobody waits who could run, and permits are handed over in turn.
[[nodiscard]] Reason judge_gate_progress(const GateScope& scope, const GateStep& step);
[[nodiscard]] Reason judge_readiness(const GateScope& scope, const GateStep& step);
[[nodiscard]] Reason judge_request_ledger(const GateScope& scope, const GateStep& step);

// The place of the tenant's waiter that has waited longest; none if there is none.
[[nodiscard]] std::optional<std::uint32_t> oldest_waiter(const FleetContents& fleet, ProcessId process,
                                                         NamespaceId name);

}  // namespace headroom::checker
