#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// usage: PinyinBench MODE …; each measurement prints one line of JSON.
let modes: [String: ([String]) throws -> Void] = [
  "accuracy": accuracy,
]

let arguments = CommandLine.arguments.dropFirst()
guard let name = arguments.first, let mode = modes[name] else {
  print("usage: PinyinBench \(modes.keys.sorted().joined(separator: "|")) …")
  exit(64)
}
try mode(Array(arguments.dropFirst()))
