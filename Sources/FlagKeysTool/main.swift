import MPaaSFlagTools
import MPaaSFlags
import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

// mpaas-flag-keys [--output FILE] [--type NAME] [--access WORD] STATE

func say(_ line: String) {
  let bytes = Array((line + "\n").utf8)
  _ = write(STDERR_FILENO, bytes, bytes.count)
}

var output = "FlagKeys.swift"
var type = "FlagKey"
var access = FlagKeysSource.Access.internal
var state = "flags.json"
var arguments = CommandLine.arguments.dropFirst()[...]
while let word = arguments.popFirst() {
  switch word {
  case "--output": output = arguments.popFirst() ?? output
  case "--type": type = arguments.popFirst() ?? type
  case "--access": access = arguments.popFirst().flatMap(FlagKeysSource.Access.init) ?? access
  default: state = word
  }
}

do {
  guard FlagKeysSource.isTypeName(type) else {
    say("error: --type \(type) is no name of a type")
    exit(ExitStatus.usage.rawValue)
  }
  let bytes = try Bytes.reading(state, limit: FlagState.Limit.bytes + 1)
  let source = FlagKeysSource(try FlagState(json: bytes.buffer), type: type, access: access)
  try Bytes(Array(source.text.utf8)).write(to: output)
} catch let error as FlagError {
  say(FlagSentence.line(error.inFile(state)))
  exit(ExitStatus.malformedInput.rawValue)
} catch {
  say("\(state): error: \(error)")
  exit(ExitStatus.inputOutput.rawValue)
}
