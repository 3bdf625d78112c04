import MPaaSPinyin

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `accuracy ENGINE [--wrong]` prints how often an engine is right on the fixtures.
///
/// In percent: the polyphone of each sentence of CPP dev, and whole names, places, words and short sentences.
/// `--wrong` lists what it reads differently first: text, found, expected.
func accuracy(_ arguments: [String]) throws {
  guard let engine = arguments.first.flatMap(PinyinEngine.init).map(PinyinData.builtIn.engine) else {
    let engines = PinyinEngine.allCases.map(\.rawValue).joined(separator: "|")
    return print("usage: PinyinBench accuracy \(engines) [--wrong]")
  }
  let listing = arguments.contains("--wrong")
  var counts: [String: Score] = [:]
  for item in try PolyphoneItem.all() {
    let found = engine.choices(item.scalars, as: .text)[item.position].reading
    counts["cpp_dev", default: Score()].add(found == item.label, toneless: found.syllable == item.label.syllable)
    if listing, found != item.label {
      print("\(item.sentence)\t\(found.digits)\t\(item.label.digits)")
    }
  }
  for item in try NameItem.all() {
    let found = engine.choices(item.text.unicodeScalars.map(\.value), as: item.kind).map(\.reading)
    let toneless = found.map(\.syllable) == item.readings.map(\.syllable)
    for name in ["names_places", "names_places \(item.group)"] {
      counts[name, default: Score()].add(found == item.readings, toneless: toneless)
    }
    if listing, found != item.readings {
      print("\(item.text)\t\(spelled(found))\t\(spelled(item.readings))")
    }
  }
  for (name, score) in counts.sorted(by: { $0.key < $1.key }) {
    print(
      #"{"engine":"\#(arguments[0])","set":"\#(name)","items":\#(score.items),"exact":\#(score.percent(score.exact)),"#
        + #""toneless":\#(score.percent(score.toneless))}"#)
  }
}

private func spelled(_ readings: [Reading]) -> String { readings.map(\.digits).joined(separator: " ") }

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
        let reading = Reading(digits: label == "r5" ? "er5" : label.replacing("u:", with: "v"))
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
      let group = String(fields[0])
      return NameItem(
        group: group, kind: TextKind(rawValue: group) ?? .text, text: String(fields[1]),
        readings: fields[2].split(separator: " ").compactMap { Reading(digits: $0) })
    }
  }
}

private func lines(_ path: String) throws -> [String] {
  let fixtures = ProcessInfo.processInfo.environment["MPAAS_FIXTURES"] ?? "../shared/fixtures"
  let data = try Data(contentsOf: URL(fileURLWithPath: "\(fixtures)/\(path)"))
  return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
}
