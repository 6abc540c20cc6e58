// A store in an SQLite file: WAL, every transaction immediate.
#pragma once

#include <memory>
#include <string>

#include "model/base/result.hpp"
#include "sim/store/open_store.hpp"
#include "sim/store/store.hpp"

namespace headroom {

// The file is made if it is not there. Refused, and left as it is, if it holds anything but a store.
[[nodiscard]] Result<std::unique_ptr<Store>> open_sqlite_store(const std::string& path, StoreUse use);

}  // namespace headroom
