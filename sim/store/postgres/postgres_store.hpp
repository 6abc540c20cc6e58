// A store in a PostgreSQL database, in a schema of its own named `headroom`.
#pragma once

#include <memory>
#include <string>

#include "model/base/result.hpp"
#include "sim/store/open_store.hpp"
#include "sim/store/store.hpp"

namespace headroom {

// `connection` as libpq takes it; `url` as faults call it. Refused, and left as it is, if the schema is somebody
// else's, or another run uses it.
[[nodiscard]] Result<std::unique_ptr<Store>> open_postgres_store(const std::string& url, const std::string& connection,
                                                                 StoreUse use);

}  // namespace headroom
