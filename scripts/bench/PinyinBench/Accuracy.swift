#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import MPaaSPinyin

/// `accuracy ENGINE [--wrong]`: how often an engine is right on the fixtures, in percent: the polyphone of each
/// sentence of CPP dev, and whole names and places. `--wrong` lists what it reads differently first.
func accuracy(_ arguments: [String]) throws {
  guard let engine = arguments.first.flatMap(PinyinEngine.init).map(PinyinData.builtIn.engine) else {
    return print("usage: PinyinBench accuracy \(PinyinEngine.allCases.map(\.rawValue).joined(separator: "|")) [--wrong]")
  }
  let listing = arguments.contains("--wrong")
  var counts: [String: Score] = [:]
  for item in try PolyphoneItem.all() {
    let found = engine.readings(item.scalars, as: .text)[item.position]
    counts["cpp_dev", default: Score()].add(found == item.label, toneless: found.syllable == item.label.syllable)
    if listing, found != item.label {
      print("\(item.sentence)\t\(found.digits)\t\(item.label.digits)")
    }
  }
  for item in try NameItem.all() {
    let found = engine.readings(Array(item.text.unicodeScalars.map(\.value)), as: item.kind)
    let right = found == item.readings
    let toneless = found.map(\.syllable) == item.readings.map(\.syllable)
    counts["names_places \(item.group)", default: Score()].add(right, toneless: toneless)
    counts["names_places", default: Score()].add(right, toneless: toneless)
    if listing, !right {
      print("\(item.text)\t\(found.map(\.digits).joined(separator: " "))\t\(item.readings.map(\.digits).joined(separator: " "))")
    }
  }
  for (name, score) in counts.sorted(by: { $0.key < $1.key }) {
    print(
      #"{"engine":"\#(arguments[0])","set":"\#(name)","items":\#(score.items),"exact":\#(score.percent(score.exact)),"#
        + #""toneless":\#(score.percent(score.toneless))}"#)
  }
}

private struct Score {
  var items = 0
  var exact = 0
  var toneless = 0

  mutating func add(_ right: Bool, toneless rightSyllables: Bool) {
    items += 1
    exact += right ? 1 : 0
    toneless += rightSyllables ? 1 : 0
  }

  func percent(_ count: Int) -> Double { (Double(count) / Double(items) * 10_000).rounded() / 100 }
}

extension ReadingEngine {
  func readings(_ scalars: [UInt32], as kind: TextKind) -> [Reading] {
    var choices = [ReadingChoice](repeating: ReadingChoice(), count: scalars.count)
    scalars.withUnsafeBufferPointer { input in
      choices.withUnsafeMutableBufferPointer { output in read(input, as: kind, into: output) }
    }
    return choices.map(\.reading)
  }
}

/// A sentence of CPP with one character whose reading is known.
struct PolyphoneItem {
  let sentence: String
  let scalars: [UInt32]
  let position: Int
  let label: Reading

  static func all() throws -> [PolyphoneItem] {
    let labels = try lines("text/pinyin/cpp_dev.lb")
    return zip(try lines("text/pinyin/cpp_dev.sent"), labels).compactMap { sentence, label in
      var scalars = sentence.unicodeScalars.map(\.value)
      guard let mark = scalars.firstIndex(of: 0x2581),
        let reading = Reading(digits: label.replacing("u:", with: "v"))
      else { return nil }
      scalars.removeAll { $0 == 0x2581 }
      return PolyphoneItem(sentence: sentence, scalars: scalars, position: mark, label: reading)
    }
  }
}

/// A name, a place, a word or a sentence with the readings of all its characters.
struct NameItem {
  /// What the file calls it: name, place, word, sent.
  let group: String
  let kind: TextKind
  let text: String
  let readings: [Reading]

  static func all() throws -> [NameItem] {
    try lines("text/pinyin/names_places.tsv").compactMap { line in
      let fields = line.split(separator: "\t")
      guard fields.count == 3 else { return nil }
      return NameItem(
        group: String(fields[0]), kind: TextKind(rawValue: String(fields[0])) ?? .text, text: String(fields[1]), readings: fields[2].split(separator: " ").compactMap(Reading.init))
    }
  }
}

private func lines(_ path: String) throws -> [String] {
  let fixtures = ProcessInfo.processInfo.environment["MPAAS_FIXTURES"] ?? "../shared/fixtures"
  let data = try Data(contentsOf: URL(fileURLWithPath: "\(fixtures)/\(path)"))
  return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
}
