// One include, of the header that the build names: see CMakeLists.txt beside this file.
#include PROBED_HEADER
