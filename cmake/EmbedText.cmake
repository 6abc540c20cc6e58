# cmake -DOUTPUT=assets.cpp -DHEADER=... -DASSETS="name=file;..." -P EmbedText.cmake
#
# Writes a C++ source that defines, for each asset, `const std::string_view headroom::name` with the text of the file.
# The texts end up inside <script> and <style> elements: nothing in them may end the element, and a reference to a
# source map is left out, since a report stands alone.
set(source "#include \"${HEADER}\"\n\nnamespace headroom {\n")
foreach(asset IN LISTS ASSETS)
  string(REGEX MATCH "^([^=]+)=(.*)$" matched "${asset}")
  set(name "${CMAKE_MATCH_1}")
  file(READ "${CMAKE_MATCH_2}" text)
  string(REGEX REPLACE "</([sS][cC][rR][iI][pP][tT]|[sS][tT][yY][lL][eE])" "<\\\\/\\1" text "${text}")
  string(REGEX REPLACE "\n//# sourceMappingURL=[^\n]*" "" text "${text}")
  string(REGEX REPLACE "\n/\\*# sourceMappingURL=[^\n]*\\*/" "" text "${text}")
  string(FIND "${text}" ")embedded\"" delimiter)
  if(NOT delimiter EQUAL -1)
    message(FATAL_ERROR "${CMAKE_MATCH_2} has the delimiter of the literal that it becomes")
  endif()
  string(APPEND source "\nconst std::string_view ${name} = R\"embedded(${text})embedded\";\n")
endforeach()
string(APPEND source "\n}  // namespace headroom\n")
file(WRITE "${OUTPUT}" "${source}")
