# Layers of the house (model, reports, sim): each is a static library whose headers can be included
# only by what links it. Includes are written from the root of the tree ("model/base/time.hpp"), so
# every layer gets an include root of its own that holds nothing but a link to that layer.

# Warnings, and what keeps floating point and file names the same on every machine.
function(headroom_compile_options target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wconversion -Wshadow -Werror)
  # A designated initializer names what it sets; the rest has its default on purpose.
  target_compile_options(${target} PRIVATE -Wno-missing-field-initializers)
  # g++ 12 at -O3 sees overlaps and overflows in std::string and fmt that cannot happen (GCC bugs 105651, 105329).
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict;-Wno-stringop-overflow>)
  # std::stable_sort of libstdc++ 12 calls what libstdc++ 12 calls deprecated; clang++ says so.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations>)
  target_compile_options(${target} PRIVATE -ffp-contract=off)
  headroom_prefix_maps(maps)
  target_compile_options(${target} PRIVATE ${maps})
  if(HEADROOM_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${HEADROOM_SANITIZE} -fno-sanitize-recover=all)
    target_link_options(${target} PRIVATE -fsanitize=${HEADROOM_SANITIZE})
  endif()
endfunction()

# __FILE__ is the path from the root of the tree, also where ccache has made the compiler's paths relative and where a
# header is reached through an include root. Of several prefixes the last that fits is taken.
function(headroom_prefix_maps result)
  file(RELATIVE_PATH to_source ${CMAKE_BINARY_DIR} ${CMAKE_SOURCE_DIR})
  set(maps -ffile-prefix-map=${CMAKE_SOURCE_DIR}/= -ffile-prefix-map=${to_source}=)
  foreach(root IN ITEMS model reports sim tests)
    list(APPEND maps -ffile-prefix-map=${CMAKE_BINARY_DIR}/include/${root}/= -ffile-prefix-map=include/${root}/=)
  endforeach()
  set(${result} ${maps} PARENT_SCOPE)
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

# An include root of its own for a folder of the tree: RESULT/FOLDER is a link to the folder.
function(headroom_include_root result folder)
  set(include_root ${CMAKE_BINARY_DIR}/include/${folder})
  file(MAKE_DIRECTORY ${include_root})
  file(CREATE_LINK ${CMAKE_SOURCE_DIR}/${folder} ${include_root}/${folder} SYMBOLIC)
  set(${result} ${include_root} PARENT_SCOPE)
endfunction()

# headroom_layer(NAME ROOT folder [FOLDER folder] [EXCLUDE folders...] [LINKS targets...]) adds headroom::NAME, of the
# sources below FOLDER (default: ROOT). Its headers are found by their path from ROOT's parent.
function(headroom_layer name)
  cmake_parse_arguments(ARG "" "ROOT;FOLDER" "EXCLUDE;LINKS" ${ARGN})
  if(NOT ARG_FOLDER)
    set(ARG_FOLDER ${ARG_ROOT})
  endif()
  headroom_sources(sources ${ARG_FOLDER} EXCLUDE ${ARG_EXCLUDE})
  headroom_include_root(include_root ${ARG_ROOT})
  add_library(headroom_${name} STATIC ${sources})
  add_library(headroom::${name} ALIAS headroom_${name})
  target_include_directories(headroom_${name} PUBLIC ${include_root})
  target_link_libraries(headroom_${name} PUBLIC ${ARG_LINKS})
  headroom_compile_options(headroom_${name})
endfunction()
