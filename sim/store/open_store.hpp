// Stores by the name that `--store` takes.
//
//   Result<std::unique_ptr<Store>> store = open_store("sqlite:run.db", StoreUse::alone);
//   if (!store) return report(store.faults());
//   store.value()->reset(setup);
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "model/base/result.hpp"
#include "sim/store/store.hpp"

namespace headroom {

enum class StoreUse : std::uint8_t {
  alone,   // nobody else may write to it meanwhile
  shared,  // by any number of clients
};

// "sqlite:FILE", or "postgres:URL" with what libpq takes (postgres:host=/run/postgresql dbname=x, postgres://...).
// Nothing is changed in the database until the store is reset.
[[nodiscard]] Result<std::unique_ptr<Store>> open_store(const std::string& url, StoreUse use);

// A fault of --store.
[[nodiscard]] Diagnostic store_fault(const std::string& url, std::string wrong, std::string right);

}  // namespace headroom
