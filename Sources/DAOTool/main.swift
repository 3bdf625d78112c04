import MPaaSDAOCompiler
import MPaaSDeclarations
import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

// mpaas-dao-compile --output FILE [--access WORD] [--untyped] (--global NAME)… (--source FILE)… DOCUMENT…

func say(_ line: String) {
  let bytes = Array((line + "\n").utf8)
  _ = write(STDERR_FILENO, bytes, bytes.count)
}

func read(_ path: String) throws(FileError) -> [UInt8] {
  try Bytes.reading(path, limit: 1 << 28).array
}

var options = DAOCompilation.Options()
var output = "DAO.swift"
var sources: [String] = []
var documents: [String] = []
var arguments = CommandLine.arguments.dropFirst()[...]
while let word = arguments.popFirst() {
  switch word {
  case "--untyped": options.infersTypes = false
  case "--output": output = arguments.popFirst() ?? output
  case "--access": options.access = arguments.popFirst().flatMap(DAOAccessLevel.init) ?? options.access
  case "--global": if let name = arguments.popFirst() { options.globals.insert(name) }
  case "--source": if let path = arguments.popFirst() { sources.append(path) }
  default: documents.append(word)
  }
}

do {
  let types = try sources.flatMap { DeclarationScanner.scan(try read($0), file: $0) }
  let files = try documents.map { (file: $0, bytes: try read($0)) }
  let compilation = DAOCompilation(files, types: types, options: options)
  for line in compilation.lines { say(line) }
  guard let source = compilation.source else { exit(ExitStatus.malformedInput.rawValue) }
  try Bytes(Array(source.utf8)).write(to: output)
} catch {
  say("error: \(error)")
  exit(ExitStatus.inputOutput.rawValue)
}
