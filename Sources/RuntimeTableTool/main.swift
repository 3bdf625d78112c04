import MPaaSConfig
import MPaaSDeclarations
import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

// mpaas-runtime-table --target NAME --package FOLDER --output FILE (--plist FILE)… (--source FILE)…
//   (--module NAME (--source FILE)…)…
// Sources before the first --module are the target's; a module without sources is known by its name only.

func say(_ line: String) {
  let bytes = Array((line + "\n").utf8)
  _ = write(STDERR_FILENO, bytes, bytes.count)
}

func read(_ path: String) throws(FileError) -> [UInt8] {
  try Bytes.reading(path, limit: 1 << 28).array
}

var options: [String: String] = [:]
var plists: [String] = []
var modules: [(name: String, sources: [String])] = [("", [])]
var arguments = CommandLine.arguments.dropFirst()[...]
while let option = arguments.popFirst(), let value = arguments.popFirst() {
  switch option {
  case "--plist": plists.append(value)
  case "--source": modules[modules.count - 1].sources.append(value)
  case "--module": modules.append((value, []))
  default: options[option] = value
  }
}
let folder = (options["--package"] ?? "") + "/"

do {
  let parts = try modules.map { name, sources in
    let types = try sources.flatMap { path in
      let file = path.hasPrefix(folder) ? String(path.dropFirst(folder.count)) : path
      return DeclarationScanner.scan(try read(path), file: path).map { (file: file, type: $0) }
    }
    let own = name.isEmpty ? options["--target"] ?? "" : name
    return RuntimeModule(name: own, types: types, isComplete: !sources.isEmpty)
  }
  let files = try plists.map { try MobileRuntimeFile(try read($0), file: $0) }
  let table = RuntimeTableSource(files: files, target: parts[0], dependencies: Array(parts.dropFirst()))
  for finding in table.findings { say(finding.line) }
  guard !table.hasErrors else { exit(ExitStatus.malformedInput.rawValue) }
  try Bytes(Array(table.source.utf8)).write(to: options["--output"] ?? "RuntimeTable.swift")
} catch let error as ConfigError {
  say(ConfigFinding(.error, error).line)
  exit(ExitStatus.malformedInput.rawValue)
} catch {
  say("error: \(error)")
  exit(ExitStatus.inputOutput.rawValue)
}
