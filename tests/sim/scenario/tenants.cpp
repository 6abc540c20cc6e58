#include "sim/scenario/tenants.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "model/base/hash.hpp"

using namespace headroom;

namespace {

TenantSpec tenant(std::string name, std::optional<std::uint32_t> count = std::nullopt, std::string id = {}) {
  TenantSpec spec;
  spec.id = id.empty() ? name : std::move(id);
  spec.name = std::move(name);
  spec.count = count;
  return spec;
}

}  // namespace

TEST_CASE("a group stands for members with names of equal length") {
  const std::vector<TenantInstance> instances = expand_tenants({tenant("small", 10'000)});
  REQUIRE(instances.size() == 10'000);
  CHECK(instances.front().name == "small_00001");
  CHECK(instances.back().name == "small_10000");
  CHECK(instances[41].member == 42U);
  CHECK(instances[41].entity == stable_hash("small_00042"));
}

TEST_CASE("tenants stand in the byte order of their names, whatever the order of the file") {
  const std::vector<TenantInstance> instances = expand_tenants({tenant("b"), tenant("a", 2), tenant("B"), tenant("a")});
  std::vector<std::string> names;
  for (const TenantInstance& instance : instances) {
    names.push_back(instance.name);
  }
  CHECK(names == std::vector<std::string>{"B", "a", "a_1", "a_2", "b"});
  CHECK(instances[0].spec_index == 2);
  CHECK(instances[2].spec_index == 1);
  CHECK_FALSE(instances[1].member);
}

TEST_CASE("a tenant's entity hangs on its id, not on its name") {
  CHECK(expand_tenants({tenant("x", {}, "a")})[0].entity == stable_hash("a"));
  CHECK(expand_tenants({tenant("x", 3, "a")})[2].entity == stable_hash("a_3"));
}

TEST_CASE("members are counted") {
  CHECK(count_tenants({tenant("a"), tenant("b", 5), tenant("c", 1)}) == 7);
}
