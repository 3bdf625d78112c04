import MPaaSPinyin

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `accuracy ENGINE [--wrong] [--cpp PREFIX]` prints how often an engine is right.
///
/// In percent: the polyphone of each everyday sentence and of each sentence of CPP dev, and whole names, places, words and
/// short sentences, as far as the fixtures are there. `--cpp` reads PREFIX.sent and PREFIX.lb as well.
/// `--wrong` lists what it reads differently first: text, found, expected.
func accuracy(_ arguments: [String]) throws {
  guard let engine = arguments.first.flatMap(PinyinEngine.init).map(PinyinData.builtIn.engine) else {
    let engines = PinyinEngine.allCases.map(\.rawValue).joined(separator: "|")
    return print("usage: PinyinBench accuracy \(engines) [--wrong] [--cpp PREFIX]")
  }
  let listing = arguments.contains("--wrong")
  var counts: [String: Score] = [:]
  var sets = try ["dev", "test"].map { ("everyday_\($0)", try PolyphoneItem.everyday($0)) }
  if let items = try? PolyphoneItem.all() { sets.append(("cpp_dev", items)) }
  if let place = arguments.firstIndex(of: "--cpp"), place + 1 < arguments.count {
    sets.append(("cpp", try PolyphoneItem.all(arguments[place + 1])))
  }
  for (name, items) in sets {
    for item in items {
      let found = engine.choices(item.scalars, as: .text)[item.position].reading
      counts[name, default: Score()].add(found == item.label, toneless: found.syllable == item.label.syllable)
      if listing, found != item.label {
        print("\(item.sentence)\t\(found.digits)\t\(item.label.digits)")
      }
    }
  }
  for item in (try? NameItem.all()) ?? [] {
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

  /// The sentences of CPP's development part, or those in PREFIX.sent with the labels in PREFIX.lb.
  static func all(_ prefix: String = fixture("text/pinyin/cpp_dev")) throws -> [PolyphoneItem] {
    zip(try lines("\(prefix).sent"), try lines("\(prefix).lb")).compactMap(PolyphoneItem.init)
  }

  /// The everyday sentences that are kept with the data's sources, `dev` or `test`.
  static func everyday(_ part: String) throws -> [PolyphoneItem] {
    let scripts = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return try lines(scripts.appendingPathComponent("pinyin-data/everyday/\(part).tsv").path).compactMap { line in
      let fields = line.split(separator: "\t").map(String.init)
      return fields.count == 2 ? PolyphoneItem(fields[0], fields[1]) : nil
    }
  }

  /// - Parameter sentence: The character asked about stands between two marks, U+2581.
  private init?(_ sentence: String, _ label: String) {
    let marked = sentence.unicodeScalars.map(\.value)
    guard let mark = marked.firstIndex(of: 0x2581),
      let reading = Reading(digits: label == "r5" ? "er5" : label.replacing("u:", with: "v"))
    else { return nil }
    self.sentence = sentence
    scalars = marked.filter { $0 != 0x2581 }
    position = mark
    self.label = reading
  }
}

/// A name, a place, a word or a sentence with the readings of all its characters.
struct NameItem {
  /// The kind as the file calls it: name, place, word, sent.
  let group: String
  let kind: TextKind
  let text: String
  let readings: [Reading]

  static func all() throws -> [NameItem] {
    try lines(fixture("text/pinyin/names_places.tsv")).compactMap { line in
      let fields = line.split(separator: "\t")
      guard fields.count == 3 else { return nil }
      let group = String(fields[0])
      return NameItem(
        group: group, kind: TextKind(rawValue: group) ?? .text, text: String(fields[1]),
        readings: fields[2].split(separator: " ").compactMap { Reading(digits: $0) })
    }
  }
}

private func fixture(_ path: String) -> String {
  "\(ProcessInfo.processInfo.environment["MPAAS_FIXTURES"] ?? "../shared/fixtures")/\(path)"
}

private func lines(_ path: String) throws -> [String] {
  let data = try Data(contentsOf: URL(fileURLWithPath: path))
  return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
}
