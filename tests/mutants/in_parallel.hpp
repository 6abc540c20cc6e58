// Independent pieces of work on several threads, told of in order.
#pragma once

#include <cstddef>
#include <functional>

namespace headroom::mutants {

// Calls work(i) for every i below `count`, at most `jobs` at once, and done(i) in the order of i, as soon as i and all
// before it are through.
void in_parallel(std::size_t count, unsigned jobs, const std::function<void(std::size_t)>& work,
                 const std::function<void(std::size_t)>& done);

}  // namespace headroom::mutants
