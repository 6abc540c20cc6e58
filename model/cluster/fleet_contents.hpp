// What decides the steps of the API processes, as plain values: two fleets with the same contents take the same steps.
// Which of two requests of one kind is which, numbers that only count up, and instants are not among them; counts of
// requests start anew with those that are inside.
//
//   FleetContents contents;
//   const std::vector<RequestId> places = read_contents(fleet, contents);   // contents.requests[i] is places[i]
//   other.restore(contents);                                               // there, it is RequestId(i)
#pragma once

#include <cstdint>
#include <vector>

#include "model/admission/gate.hpp"
#include "model/base/ids.hpp"
#include "model/cluster/requests.hpp"

namespace headroom {

class ApiFleet;

struct FleetContents {
  struct Process {
    Gate::Standing gate;
    bool up = true;
    bool known_ready = true;
    friend bool operator==(const Process&, const Process&) = default;
  };
  struct Inside {
    ProcessId process;
    NamespaceId tenant;
    Stage stage = Stage::waiting;
    WaiterAge age = WaiterAge::young;  // while it waits at the gate
    bool abandoned = false;
    friend bool operator==(const Inside&, const Inside&) = default;
  };

  std::vector<Process> processes;
  std::vector<Gate::TenantStanding> tenants;  // by process, then tenant
  // First those that wait at the gates, by process and in the order that the gate heeds; then those that wait for a
  // connection, and those that wait for the next service, each first in first out; then the others, sorted.
  std::vector<Inside> requests;

  [[nodiscard]] std::size_t namespaces() const { return tenants.size() / processes.size(); }
  [[nodiscard]] const Gate::TenantStanding& tenant(ProcessId process, NamespaceId name) const {
    return tenants[process.value() * namespaces() + name.value()];
  }
  // As if the requests inside were all that ever came.
  [[nodiscard]] RequestCounts counts_inside(NamespaceId name) const;

  friend bool operator==(const FleetContents&, const FleetContents&) = default;
};

// Needs a fleet without health checks in progress, whose resources have no claimants but its requests.
std::vector<RequestId> read_contents(const ApiFleet& fleet, FleetContents& contents);

}  // namespace headroom
