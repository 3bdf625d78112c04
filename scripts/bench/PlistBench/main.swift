import Foundation
import MPaaSConfig

/// Times reading and writing of property lists, ours and Foundation's; scripts/bench/plists runs it.
///
/// `PlistBench FILE…` reads each file and writes its value as XML, binary, JSON and old-style text, five times, and tells
/// the best times.
struct Timing {
  private(set) var best = Double.infinity

  mutating func run<Value>(_ work: () throws -> Value) rethrows -> Value {
    let start = ContinuousClock.now
    let value = try work()
    let elapsed = ContinuousClock.now - start
    let seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
    best = min(best, seconds)
    return value
  }

  var text: String { String(format: "%.3f s", best) }
}

func measure(_ path: String) throws {
  let data = try Data(contentsOf: URL(filePath: path))
  let bytes = [UInt8](data)
  let rounds = 5
  var reading = Timing()
  var file = try PropertyListFile(bytes, file: path)
  for _ in 0..<rounds { file = try reading.run { try PropertyListFile(bytes, file: path) } }
  print("\(path): \(bytes.count) bytes, \(file.format)")
  print("  read            mpaas \(reading.text)", terminator: "")
  if file.format == .xml || file.format == .binary {
    var theirs = Timing()
    for _ in 0..<2 { _ = try theirs.run { try PropertyListSerialization.propertyList(from: data, format: nil) } }
    print("   Foundation \(theirs.text), \(String(format: "%.1f", theirs.best / reading.best)) ×", terminator: "")
  }
  print()
  for format in PropertyListFormat.allCases {
    var writing = Timing()
    var written: [UInt8] = []
    for _ in 0..<rounds {
      written = try writing.run {
        try PropertyListFile.bytes(of: file.root, as: format, isTagged: true, file: path)
      }
    }
    let name = "write \(format)".padding(toLength: 16, withPad: " ", startingAt: 0)
    print("  \(name)mpaas \(writing.text)", terminator: "")
    let kinds: [PropertyListFormat: PropertyListSerialization.PropertyListFormat] = [.xml: .xml, .binary: .binary]
    if let kind = kinds[format], file.format == .xml || file.format == .binary {
      let value = try PropertyListSerialization.propertyList(from: data, format: nil)
      var theirs = Timing()
      for _ in 0..<2 {
        _ = try theirs.run { try PropertyListSerialization.data(fromPropertyList: value, format: kind, options: 0) }
      }
      print("   Foundation \(theirs.text), \(String(format: "%.1f", theirs.best / writing.best)) ×", terminator: "")
    }
    print("   \(written.count) bytes")
  }
  try edit(file, path)
}

/// One value changed in the middle: read, changed, read again to be sure.
func edit(_ file: PropertyListFile, _ path: String) throws {
  guard let values = file.root.values, !values.isEmpty else { return }
  var editing = Timing()
  for _ in 0..<3 {
    try editing.run {
      let file = try PropertyListFile(file.bytes, file: path)
      let way = [PropertyListPath.Part.index(values.count / 2), .word("name")]
      _ = try file.root.setting(.string("changed"), at: way).map { try file.revised(to: $0) }
    }
  }
  print("  read and edit   mpaas \(editing.text)")
}

for path in CommandLine.arguments.dropFirst() { try measure(path) }
