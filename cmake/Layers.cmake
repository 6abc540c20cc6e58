# Layers of the house (model, reports, sim): each is a static library whose headers can be included
# only by what links it. Includes are written from the root of the tree ("model/base/time.hpp"), so
# every layer gets an include root of its own that holds nothing but a link to that layer.

# Warnings, and what keeps floating point the same on every machine.
function(headroom_compile_options target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wconversion -Wshadow -Werror)
  target_compile_options(${target} PRIVATE -ffp-contract=off)
  target_compile_options(${target} PRIVATE -ffile-prefix-map=${CMAKE_SOURCE_DIR}/=)
  if(HEADROOM_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=address,undefined -fno-sanitize-recover=all)
    target_link_options(${target} PRIVATE -fsanitize=address,undefined)
  endif()
endfunction()

# All .cpp files below a folder, without those below the folders named after EXCLUDE.
function(headroom_sources result folder)
  cmake_parse_arguments(ARG "" "" "EXCLUDE" ${ARGN})
  file(GLOB_RECURSE files CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/${folder}/*.cpp)
  foreach(excluded IN LISTS ARG_EXCLUDE)
    list(FILTER files EXCLUDE REGEX "^${excluded}/")
  endforeach()
  list(TRANSFORM files PREPEND ${CMAKE_SOURCE_DIR}/)
  set(${result} ${files} PARENT_SCOPE)
endfunction()

# headroom_layer(NAME ROOT folder [EXCLUDE folders...] [LINKS targets...]) adds headroom::NAME.
function(headroom_layer name)
  cmake_parse_arguments(ARG "" "ROOT" "EXCLUDE;LINKS" ${ARGN})
  headroom_sources(sources ${ARG_ROOT} EXCLUDE ${ARG_EXCLUDE})
  add_library(headroom_${name} STATIC ${sources})
  add_library(headroom::${name} ALIAS headroom_${name})
  set(include_root ${CMAKE_BINARY_DIR}/include/${name})
  file(MAKE_DIRECTORY ${include_root})
  file(CREATE_LINK ${CMAKE_SOURCE_DIR}/${ARG_ROOT} ${include_root}/${ARG_ROOT} SYMBOLIC)
  target_include_directories(headroom_${name} PUBLIC ${include_root})
  if(ARG_LINKS)
    target_link_libraries(headroom_${name} PUBLIC ${ARG_LINKS})
  endif()
  headroom_compile_options(headroom_${name})
endfunction()
