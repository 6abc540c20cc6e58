// Requests inside the system: those that wait at a gate and those whose handlers run.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "model/admission/refusal.hpp"
#include "model/admission/resource_pool.hpp"
#include "model/base/ids.hpp"
#include "model/base/time.hpp"

namespace headroom {

enum class Resource : std::uint8_t { database_pool, downstream };
inline constexpr std::size_t kResources = 2;

enum class Stage : std::uint8_t {
  waiting,              // at the gate
  database_checkout,    // the handler waits for a connection
  handler,              // it works
  downstream_checkout,  // it waits for the next service
  downstream,           // it works with the next service
};

enum class HandlerOutcome : std::uint8_t {
  succeeded,           // answered 2xx: its effect and all of its rows are written
  failed,              // its own error: nothing is written
  database_timeout,    // no connection in time
  downstream_timeout,  // no place in the next service in time
  crashed,             // its process died
};
inline constexpr std::size_t kHandlerOutcomes = 5;

struct Request {
  std::uint64_t serial = 0;  // of its arrival; never used twice
  std::uint64_t logical = 0;
  NamespaceId tenant;
  ProcessId process;
  Stage stage = Stage::waiting;
  bool inside = false;     // false: the place is free
  bool abandoned = false;  // its client has left while the handler ran
  WaiterId waiter;         // while it waits
  std::array<CheckoutId, kResources> checkouts;
  Time arrived_at;  // payload for reports
  [[nodiscard]] bool running() const { return inside && stage != Stage::waiting; }
  friend bool operator==(const Request&, const Request&) = default;
};

// How many requests of a tenant are where. arrived = running + waiting + finished + refused + gone.
struct RequestCounts {
  std::uint64_t arrived = 0;
  std::uint64_t admitted = 0;
  std::uint64_t running = 0;
  std::uint64_t waiting = 0;
  std::uint64_t finished = 0;
  std::uint64_t refused_429 = 0;
  std::uint64_t refused_503 = 0;
  std::uint64_t gone = 0;
  friend bool operator==(const RequestCounts&, const RequestCounts&) = default;
};

// Requests by place; places are used again, serials are not.
class RequestTable {
 public:
  RequestId add(NamespaceId tenant, ProcessId process, std::uint64_t logical, Time at) {
    if (free_.empty()) {
      free_.push_back(RequestId(static_cast<std::uint32_t>(requests_.size())));
      requests_.emplace_back();
    }
    const RequestId id = free_.back();
    free_.pop_back();
    requests_[id.value()] = {.serial = next_serial_++,
                             .logical = logical,
                             .tenant = tenant,
                             .process = process,
                             .inside = true,
                             .arrived_at = at};
    return id;
  }
  // What the place held can be read until the next add.
  void remove(RequestId id) {
    requests_[id.value()].inside = false;
    free_.push_back(id);
  }
  // As if nobody had ever come.
  void clear() {
    requests_.clear();
    free_.clear();
    next_serial_ = 1;
  }
  [[nodiscard]] Request& at(RequestId id) { return requests_[id.value()]; }
  [[nodiscard]] const Request& operator[](RequestId id) const { return requests_[id.value()]; }
  [[nodiscard]] bool inside(RequestId id, std::uint64_t serial) const {
    return id.value() < requests_.size() && requests_[id.value()].inside && requests_[id.value()].serial == serial;
  }
  [[nodiscard]] std::size_t inside_count() const { return requests_.size() - free_.size(); }
  [[nodiscard]] std::uint32_t places() const { return static_cast<std::uint32_t>(requests_.size()); }
  friend bool operator==(const RequestTable&, const RequestTable&) = default;

 private:
  std::vector<Request> requests_;
  std::vector<RequestId> free_;
  std::uint64_t next_serial_ = 1;
};

}  // namespace headroom
