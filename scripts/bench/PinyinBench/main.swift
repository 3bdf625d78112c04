// usage: PinyinBench MODE …; each measurement prints one line of JSON.
let modes: [String: ([String]) throws -> Void] = [
  "accuracy": accuracy,
  "convert": conversion,
  "dictionary": DictionarySpeed.run,
  "records": records,
  "search": search,
  "choices": choices,
  "choices": choices,
  "convert": conversion,
  "speed": speed,
]

let arguments = CommandLine.arguments.dropFirst()
if let mode = arguments.first.flatMap({ modes[$0] }) {
  try mode(Array(arguments.dropFirst()))
} else {
  print("usage: PinyinBench \(modes.keys.sorted().joined(separator: "|")) …")
}
