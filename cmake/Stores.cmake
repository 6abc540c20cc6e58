# The databases that --store knows. SQLite always; PostgreSQL if libpqxx is found. Debian's libpqxx has no CMake package,
# only a header and a library.
find_package(SQLite3 REQUIRED)
find_path(HEADROOM_PQXX_INCLUDE_FOLDER pqxx/pqxx DOC "Folder of pqxx/pqxx, the header of libpqxx")
find_library(HEADROOM_PQXX_LIBRARY pqxx DOC "libpqxx")
mark_as_advanced(HEADROOM_PQXX_INCLUDE_FOLDER HEADROOM_PQXX_LIBRARY)

if(HEADROOM_PQXX_INCLUDE_FOLDER AND HEADROOM_PQXX_LIBRARY)
  set(HEADROOM_WITH_POSTGRES TRUE)
  add_library(headroom_pqxx INTERFACE)
  target_include_directories(headroom_pqxx SYSTEM INTERFACE ${HEADROOM_PQXX_INCLUDE_FOLDER})
  target_link_libraries(headroom_pqxx INTERFACE ${HEADROOM_PQXX_LIBRARY})
  set(stores_left_out)
else()
  set(HEADROOM_WITH_POSTGRES FALSE)
  set(stores_left_out sim/store/postgres)
  message(STATUS "libpqxx (Debian: libpqxx-dev) was not found: --store postgres:URL is left out")
endif()
