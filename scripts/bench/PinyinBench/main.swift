// usage: PinyinBench MODE …; each measurement prints one line of JSON.
let modes: [String: ([String]) throws -> Void] = [
  "accuracy": accuracy,
  "choices": choices,
  "convert": conversion,
  "records": records,
  "search": search,
  "speed": speed,
]

let arguments = CommandLine.arguments.dropFirst()
if let mode = arguments.first.flatMap({ modes[$0] }) {
  try mode(Array(arguments.dropFirst()))
} else {
  print("usage: PinyinBench \(modes.keys.sorted().joined(separator: "|")) …")
}
