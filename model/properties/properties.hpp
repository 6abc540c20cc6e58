// Makers of the properties, one file each; the registry in property.cpp lists them.
#pragma once

#include <memory>

#include "model/properties/property.hpp"

namespace headroom {

std::unique_ptr<Property> make_exactly_once(const Cluster& cluster, const PropertyBounds& bounds);
std::unique_ptr<Property> make_end_to_end(const Cluster& cluster, const PropertyBounds& bounds);
std::unique_ptr<Property> make_ledger(const Cluster& cluster, const PropertyBounds& bounds);
std::unique_ptr<Property> make_ceiling(const Cluster& cluster, const PropertyBounds& bounds);
std::unique_ptr<Property> make_quota_sum(const Cluster& cluster, const PropertyBounds& bounds);
std::unique_ptr<Property> make_slice(const Cluster& cluster, const PropertyBounds& bounds);
std::unique_ptr<Property> make_no_starvation(const Cluster& cluster, const PropertyBounds& bounds);
std::unique_ptr<Property> make_work_conserving(const Cluster& cluster, const PropertyBounds& bounds);
std::unique_ptr<Property> make_fairness(const Cluster& cluster, const PropertyBounds& bounds);
std::unique_ptr<Property> make_gate_safety(const Cluster& cluster, const PropertyBounds& bounds);
std::unique_ptr<Property> make_gate_progress(const Cluster& cluster, const PropertyBounds& bounds);
std::unique_ptr<Property> make_readiness(const Cluster& cluster, const PropertyBounds& bounds);

std::unique_ptr<Property> make_causes_sum(const Cluster& cluster, const PropertyBounds& bounds);

}  // namespace headroom
