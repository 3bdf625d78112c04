import MPaaSSupport
import MPaaSTOML
import MPaaSTestSupport
import Testing

/// Texts as people, programs and accidents write them.
private struct TextMaker {
  var random: SeededRandom

  private static let keys = ["a", "b", "c", "\"d e\"", "'f.g'", "h", "\"\\u00e9\""]
  static let names = ["a", "b", "c", "d e", "f.g", "h", "é", "new"]

  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &random)]
  }

  mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

  mutating func value(_ depth: Int = 0) -> String {
    let simple = [
      "1", "-2", "0x1f", "1.5", "true", "\"x\"", "'lit # ]'", "\"q\\\" } \\\\\"", "2024-05-01", "1979-05-27 07:32:00Z",
      "\"\"\"\nmany\n# lines \\\n ]\"\"\"\"", "'''\nraw = [\n'''", "\"\"", "[]", "{}", "inf",
    ]
    guard depth < 3, chance(30) else { return pick(simple) }
    let count = Int.random(in: 1...3, using: &random)
    if chance(50) {
      let end = chance(50) ? " # in\n " : ""
      return "[" + end + (0..<count).map { _ in value(depth + 1) }.joined(separator: "," + end) + end + "]"
    }
    let keys = Array(Self.keys.shuffled(using: &random).prefix(count))
    return "{ " + keys.map { "\($0) = \(value(depth + 1))" }.joined(separator: ", ") + " }"
  }

  mutating func text() -> String {
    var text = chance(20) ? "# head\n\n" : ""
    for section in 0..<Int.random(in: 1...5, using: &random) {
      if section > 0 || chance(50) {
        let path = (0..<Int.random(in: 1...3, using: &random)).map { _ in pick(Self.keys) }.joined(separator: ".")
        text += chance(15) ? "[[\(path)]]" : "[\(path)]"
        text += chance(20) ? " # t\n" : "\n"
      }
      for _ in 0..<Int.random(in: 0...4, using: &random) {
        if chance(15) { text += pick(["\n", "# c = 1\n", "  # [x]\n", "\n\n"]) }
        let key = chance(25) ? pick(Self.keys) + " . " + pick(Self.keys) : pick(Self.keys)
        text +=
          (chance(20) ? "  " : "") + key + pick([" = ", "=", "   = "]) + value() + pick(["", " # c", " "]) + "\n"
      }
    }
    if chance(20), text.last == "\n" { text.removeLast() }
    if chance(20) { text = text.replacing("\n", with: "\r\n") }
    return chance(5) ? "\u{feff}" + text : text
  }

  mutating func path() -> [String] { (0..<Int.random(in: 1...4, using: &random)).map { _ in pick(Self.names) } }
}

@Suite("TOML of all kinds") struct TOMLFuzzTests {
  @Test("an edit changes the wanted value and nothing else, or is refused")
  func edits() throws {
    var maker = TextMaker(random: SeededRandom(seed: 5))
    var (documents, edited, refused) = (0, 0, 0)
    for _ in 0..<SeededRandom.rounds(or: 1500) {
      let text = maker.text()
      guard let document = try? TOMLDocument(text, file: "x") else { continue }
      documents += 1
      for _ in 0..<4 {
        let path = maker.path()
        let isRemoval = maker.chance(30)
        let value: JSONValue = maker.pick(["x", 7, true, ["l", 1], ["k": "v"]])
        do {
          let result = try isRemoval ? document.removing(path) : document.setting(path, to: value)
          edited += 1
          #expect(result.value(path) == (isRemoval ? nil : value), "\(text)\n\(path)")
          let kept = Set(result.text.split(separator: "\n").map { $0.filter { $0 != "\r" } })
          if !isRemoval, document.value(path) == nil {
            // Every line is still there, but the one that grew.
            let lost = text.split(separator: "\n").map { $0.filter { $0 != "\r" } }.filter { !kept.contains($0) }
            #expect(lost.count <= 1, "\(text)\n\(path)\n\(result.text)")
          }
        } catch {
          refused += 1
        }
      }
    }
    // Most texts are TOML, and most edits can be made.
    #expect(documents > 0, "\(documents) documents, \(edited) edits, \(refused) refused")
    #expect(edited > refused, "\(documents) documents, \(edited) edits, \(refused) refused")
  }

  @Test("broken bytes end in an error, never in a crash")
  func broken() throws {
    var maker = TextMaker(random: SeededRandom(seed: 6))
    for _ in 0..<SeededRandom.rounds(or: 500) {
      var bytes = Array(maker.text().utf8)
      for _ in 0..<Int.random(in: 1...4, using: &maker.random) where !bytes.isEmpty {
        let place = Int.random(in: 0..<bytes.count, using: &maker.random)
        switch Int.random(in: 0..<3, using: &maker.random) {
        case 0: bytes[place] = maker.pick(Array("[]{}\"'=.#\n\\,".utf8))
        case 1: bytes.remove(at: place)
        default: bytes.insert(UInt8.random(in: 0...255, using: &maker.random), at: place)
        }
      }
      let document = try? TOMLDocument(String(decoding: bytes, as: UTF8.self), file: "x")
      let path = maker.path()
      _ = document?.line(of: path)
      _ = try? document?.setting(path, to: 1)
      _ = try? document?.removing(path)
    }
    for text in ["[.a]", "[[ =]]", "a = [1, }]", "a = [2024-05-01 1]", "a = 2024-05-01 1 # x", "a = [[}"] {
      #expect(throws: TOMLError.self) { try TOMLDocument(text, file: "x") }
    }
    let deep = "a = " + String(repeating: "[", count: 100_000)
    #expect(throws: TOMLError.self) { try TOMLDocument(deep, file: "x") }
    #expect(throws: TOMLError.self) { try TOMLDocument("a = " + String(repeating: "{b=", count: 100_000), file: "x") }
  }
}
