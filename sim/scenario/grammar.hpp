// The scenario format as tables of keys: what the reader takes, the schema states and `headroom list` shows.
#pragma once

#include "sim/scenario/rule.hpp"
#include "sim/scenario/scenario.hpp"

namespace headroom {

// Largest accepted sizes. They keep every sum of what a scenario asks for within 64 bits and bound the memory that a
// mistyped one can take.
inline constexpr std::uint16_t kMaxNodes = 1024;
inline constexpr std::uint16_t kMaxProcesses = 64;                // of a node
inline constexpr std::uint32_t kMaxFleet = 65'534;                // nodes x processes
inline constexpr std::uint32_t kMaxCount = 1'000'000;             // of a group, of a batch, of workers, ...
inline constexpr std::uint64_t kMaxTenants = 1U << 20U;           // members counted
inline constexpr std::uint64_t kMaxNodeTenants = 1ULL << 26U;     // nodes x tenants
inline constexpr std::uint64_t kMaxProcessTenants = 1ULL << 24U;  // nodes x processes x tenants, behind gates
inline constexpr std::uint64_t kMaxRoutes = 1ULL << 22U;          // of all tenants
inline constexpr std::uint64_t kMaxWorkflows = 1ULL << 31U;       // of all tenants
inline constexpr std::uint64_t kMaxRowsAtOnce = 1ULL << 26U;      // backlogs, closed-loop clients and scheduled bursts
inline constexpr std::int64_t kMaxWindows = 1'000'000;            // duration / window
inline constexpr std::uint64_t kMaxListed = 1'000'000;            // elements of a list

inline constexpr std::uint32_t kMaxCheckCount = 1000;  // of anything in the scope of a check
inline constexpr std::size_t kMaxCheckLimitChanges = 16;
inline constexpr std::uint64_t kMaxCheckTenants = 64;  // members counted

[[nodiscard]] const Rule<DistributionSpec>& distribution_rule();
[[nodiscard]] const Rule<ArrivalSpec>& arrivals_rule();
[[nodiscard]] const Rule<LatencyShift>& latency_shift_rule();
[[nodiscard]] const Rule<Fault>& fault_rule();
// What becomes of the rows that a failed sweep has claimed; true: they are released.
[[nodiscard]] const Rule<bool>& store_error_outcome_rule();
[[nodiscard]] const Rule<Ownership>& ownership_rule();
[[nodiscard]] const Rule<ClusterSection>& cluster_rule();
[[nodiscard]] const Rule<OutboxSection>& outbox_rule();
[[nodiscard]] const Rule<BackpressureSection>& backpressure_rule();
// Limits may be "unbounded".
[[nodiscard]] Rule<std::optional<std::uint32_t>> inflight_rule(std::uint32_t least);
[[nodiscard]] Rule<std::optional<std::uint32_t>> queue_depth_rule();
[[nodiscard]] const Rule<std::optional<RateLimit>>& rate_limit_rule();
[[nodiscard]] const Rule<TenantLimitsAsWritten>& tenant_limits_rule();
[[nodiscard]] const Rule<AdmissionSection>& admission_rule();
[[nodiscard]] const Rule<RetrySpec>& retry_rule();
[[nodiscard]] const Rule<std::optional<RequestsSpec>>& requests_rule();
[[nodiscard]] const Rule<TenantSpec>& tenant_rule();
[[nodiscard]] const Rule<Expectation>& expectation_rule();
[[nodiscard]] const Rule<CheckSection>& check_rule();
[[nodiscard]] const Rule<Scenario>& scenario_rule();

}  // namespace headroom
