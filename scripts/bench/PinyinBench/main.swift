#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// usage: PinyinBench MODE …; each measurement prints one line of JSON.
let modes: [String: ([String]) throws -> Void] = [
  "accuracy": accuracy,
  "dictionary": DictionarySpeed.run,
  "speed": speed
  "convert": conversion,
  "search": search,
  "speed": speed,
]

// usage: PinyinBench MODE …; each measurement prints one line of JSON.
let modes: [String: ([String]) throws -> Void] = [
  "search": search
]

let arguments = CommandLine.arguments.dropFirst()
if let mode = arguments.first.flatMap({ modes[$0] }) {
  try mode(Array(arguments.dropFirst()))
} else {
  print("usage: PinyinBench \(modes.keys.sorted().joined(separator: "|")) …")
}
