# What report.html embeds: our own style and script, and dygraphs (MIT) from Debian's package libjs-dygraphs.
find_path(HEADROOM_DYGRAPHS_FOLDER dygraph.min.js PATHS /usr/share/javascript/dygraphs NO_DEFAULT_PATH
          DOC "Folder of dygraph.min.js, dygraph.min.css and src/extras/synchronizer.js")
if(NOT HEADROOM_DYGRAPHS_FOLDER)
  message(FATAL_ERROR "dygraphs was not found: install libjs-dygraphs, or set HEADROOM_DYGRAPHS_FOLDER")
endif()

set(assets
    kDygraphsStyle=${HEADROOM_DYGRAPHS_FOLDER}/dygraph.min.css
    kDygraphsScript=${HEADROOM_DYGRAPHS_FOLDER}/dygraph.min.js
    kSynchronizerScript=${HEADROOM_DYGRAPHS_FOLDER}/src/extras/synchronizer.js
    kReportStyle=${CMAKE_SOURCE_DIR}/reports/render/html/report.css
    kTablesScript=${CMAKE_SOURCE_DIR}/reports/render/html/tables.js
    kChartsScript=${CMAKE_SOURCE_DIR}/reports/render/html/charts.js
    kSweepsScript=${CMAKE_SOURCE_DIR}/reports/render/html/sweeps.js
    kStepsScript=${CMAKE_SOURCE_DIR}/reports/render/html/steps.js)
set(asset_files ${assets})
list(TRANSFORM asset_files REPLACE "^[^=]+=" "")
set(asset_source ${CMAKE_BINARY_DIR}/report_assets.cpp)
add_custom_command(
  OUTPUT ${asset_source}
  COMMAND ${CMAKE_COMMAND} -DOUTPUT=${asset_source} -DHEADER=reports/render/html/assets.hpp "-DASSETS=${assets}"
          -P ${CMAKE_SOURCE_DIR}/cmake/EmbedText.cmake
  DEPENDS ${CMAKE_SOURCE_DIR}/cmake/EmbedText.cmake ${asset_files}
  VERBATIM)
target_sources(headroom_reports PRIVATE ${asset_source})
