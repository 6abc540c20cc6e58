#include "model/base/mutation.hpp"

namespace headroom {

#ifdef HEADROOM_MUTANTS
Mutation planted_mutation = Mutation::none;
#endif

}  // namespace headroom
