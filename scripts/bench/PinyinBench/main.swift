// usage: PinyinBench MODE …; each measurement prints one line of JSON.
let modes: [String: ([String]) throws -> Void] = [
  "accuracy": accuracy
]

let arguments = CommandLine.arguments.dropFirst()
guard let name = arguments.first, let mode = modes[name] else {
  fatalError("usage: PinyinBench \(modes.keys.sorted().joined(separator: "|")) …")
}
try mode(Array(arguments.dropFirst()))
