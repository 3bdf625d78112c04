#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

// CatalogueTool OUTPUT (TOPIC.LANGUAGE.json)…: the files as literals of Swift, for the plug-in of plugins/CatalogueTexts.

func fail(_ path: String) -> Never {
  perror("CatalogueTool: \(path)")
  exit(1)
}

func read(_ path: String) -> [UInt8] {
  guard let file = fopen(path, "rb") else { fail(path) }
  defer { fclose(file) }
  var bytes: [UInt8] = []
  var piece = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    let count = fread(&piece, 1, piece.count, file)
    if count == 0 { break }
    bytes += piece[..<count]
  }
  if ferror(file) != 0 { fail(path) }
  return bytes
}

var arguments = CommandLine.arguments.dropFirst()
guard let output = arguments.popFirst() else {
  perror("CatalogueTool OUTPUT FILE…")
  exit(64)
}
let beginning = "enum CatalogueLiterals {\n  static let all: [(name: String, text: StaticString)] = [\n"
var source = Array(beginning.utf8)
for path in arguments {
  let name = path.split(separator: "/").last.map(String.init) ?? path
  source += Array("    (\"\(name)\", ####\"\"\"\n".utf8) + read(path) + Array("\n\"\"\"####),\n".utf8)
}
source += Array("  ]\n}\n".utf8)
guard let file = fopen(output, "wb") else { fail(output) }
guard fwrite(source, 1, source.count, file) == source.count, fclose(file) == 0 else { fail(output) }
