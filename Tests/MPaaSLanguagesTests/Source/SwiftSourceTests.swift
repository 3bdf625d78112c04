import Foundation
import MPaaSLanguages
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("The texts that Swift sources ask for") struct SwiftSourceTests {
  @Test("are those that the fixtures list, with tables, values, comments and lines", .fixtures)
  func fixture() throws { try ExpectedTexts.check("B", "swift", .swift) }

  @Test("are found in every form of String(localized:), LocalizedStringResource and look-ups by bundle")
  func forms() {
    let found = extracted(
      """
      let a = String(localized: "a", defaultValue: "A \\(n.count) of \\(name)", table: "T", comment: "c")
      let b = AttributedString(localized: "b")
      let c: String = .init(localized: "c", comment: "x" + " y")
      let d = LocalizedStringResource("d", defaultValue: "D", table: "U", comment: "r")
      let e = Bundle.main.localizedString(forKey: "e", value: "E", table: "V")
      let f: LocalizedStringKey = "f \\(1)"
      var g: LocalizedStringResource? = "g"
      func h(_ title: LocalizedStringKey = "h") {}
      let i = String(localized: .welcome), j = String("j"), k = String.init("k")
      let l = String(localized: flag ? "l1" : "l2")
      let m = LocalizedStringKey("m \\(price, specifier: "%.2f") 100%")
      """)
    #expect(found.keys == ["a", "b", "c", "d", "e", "f %lld", "g", "h", "l1", "l2", "m %.2f 100%%"])
    #expect(found.texts[0].value == "A %lld of %@")
    #expect(found.texts[0].isGuessed)
    #expect(found.texts[0].table == "T")
    #expect(found.texts[2].comment == "x y")
    #expect(found.texts[4].table == "V")
    #expect(found.dynamic.isEmpty)
  }

  @Test("are read from literals of many lines, raw ones and all escapes")
  func literals() {
    let found = extracted(
      ##"""
      NSLocalizedString("""
        one
          two \
        three\t"quoted"
        """, comment: """
        c
        """)
      NSLocalizedString(#"""
        raw \n \#u{41}
        """#, comment: #"a "b" \#n"#)
      NSLocalizedString("\u{1F600}\0\\\'", comment: "")
      NSLocalizedString("", comment: "")
      """##)
    #expect(found.keys == ["one\n  two three\t\"quoted\"", "raw \\n A", "😀\0\\'", ""])
    #expect(found.texts.map(\.comment) == ["c", "a \"b\" \n", "", ""])
  }

  @Test("are not looked for in comments, in strings and in regular expressions")
  func notCode() {
    let found = extracted(
      """
      /// NSLocalizedString("no", comment: "")
      let a = "NSLocalizedString(\\"no\\", comment: \\"\\")" /* /* " */ NSLocalizedString("no", comment: "") */
      let b = text.matches(of: /"[^"]*/) ; let c = #/ " /#; let d = 4 / 2 / 1
      let e = NSLocalizedString("yes", comment: "")
      let f = "\\(x[a: "b \\(NSLocalizedString("deep", comment: "")) c"])"
      """)
    #expect(found.keys == ["yes", "deep"])
  }

  @Test("are reported with their lines where they are known at run time only, interpolations in old keys too")
  func dynamic() {
    let found = extracted(
      """
      NSLocalizedString(key, comment: "")
      NSLocalizedString("a \\(b)",
        comment: "")
      NSLocalizedString("c", tableName: name, comment: "")
      LocalizedStringKey(keys[0])
      Text(title)
      String(localized: makeKey("x", NSLocalizedString("inner", comment: "")))
      """, .swift, ExtractionOptions(includesSwiftUI: true))
    #expect(found.dynamic.map(\.line) == [1, 2, 4, 5, 7])
    let inner = #"makeKey("x", NSLocalizedString("inner", comment: ""))"#
    #expect(found.dynamic.map(\.argument) == ["key", "\"a \\(b)\"", "name", "keys[0]", inner])
    #expect(found.keys == ["c", "inner"])
  }

  @Test("are no warnings where a wrapper only passes its parameter on, which is told instead")
  func wrappers() {
    let found = extracted(
      """
      func L(_ key: String, _ comment: String = "") -> String {
        return NSLocalizedString(key, comment: comment)
      }
      extension String { var localized: String { NSLocalizedString(self, comment: "") } }
      func show(key: String) {
        print(key)
        title = NSLocalizedString(key, comment: "")
      }
      func NSLocalizedString(_ key: String, comment: String) -> String { key }
      """)
    #expect(found.wrappers.map(\.name) == ["L", ".localized"])
    #expect(found.wrappers.map(\.line) == [2, 4])
    #expect(found.dynamic.map(\.line) == [7])
    #expect(found.texts.isEmpty)
  }

  @Test("are found behind wrappers that are named, in front of names too")
  func named() throws {
    let options = ExtractionOptions(
      wrappers: try ["L", "tr:_,key,table", ".localized", ".fmt:comment"].map { try #require(WrapperSignature($0)) })
    let found = extracted(
      """
      L("a", "why"); L("b", table: "T"); tr(1, "c", "U"); "d".localized; "e".fmt("because")
      func L(_ key: String) -> String { NSLocalizedString(key, comment: "") }
      name.localized
      """, .swift, options)
    #expect(found.keys == ["a", "b", "c", "d", "e"])
    #expect(found.texts.map(\.table) == ["Localizable", "T", "U", "Localizable", "Localizable"])
    #expect(found.texts.map(\.comment) == ["why", nil, nil, nil, "because"])
    #expect(found.dynamic.map(\.argument) == ["name"])
    #expect(WrapperSignature("a b") == nil)
    #expect(WrapperSignature("x:nothing") == nil)
    #expect(WrapperSignature("") == nil)
  }

  @Test("are those of SwiftUI's views and modifiers where they are asked for")
  func swiftUI() {
    let text = """
      Text("a \\(n) b"); Text(verbatim: "no"); Text("b", tableName: "T", comment: "c"); Image("no")
      Button("c", systemImage: "x") { Text("d") }.navigationTitle("e").help(flag ? "f" : "g")
      Text(LocalizedStringKey("h")); LabeledContent("i", value: "no"); x.Text("no"); SwiftUI.Text("j"); Text("")
      """
    #expect(extracted(text).keys == ["h"])
    let found = extracted(text, .swift, ExtractionOptions(includesSwiftUI: true))
    #expect(found.keys == ["a %@ b", "b", "c", "d", "e", "f", "g", "h", "i", "j"])
    #expect(found.dynamic.isEmpty)
    #expect(found.texts[1].table == "T")
    #expect(found.texts[1].comment == "c")
    #expect(found.texts.allSatisfy { $0.value == nil })
  }

  @Test("have the specifiers of what the file declares, and guessed ones where it says nothing")
  func specifiers() {
    let found = extracted(
      """
      let n: Int, price = 9.5, name = "x"; var id: UInt64; func f(x: Float) {}; let both: Int; let both: String
      String(localized: "\\(n) \\(price) \\(a.name) \\(id) \\(x)"); String(localized: "\\(both) \\(other)")
      """)
    #expect(found.keys == ["%lld %lf %@ %llu %f", "%@ %@"])
    #expect(found.texts.map(\.isGuessed) == [false, true])
  }

  @Test("have the specifiers of the names that a name is reckoned of, if these are of one type")
  func reckoned() {
    let found = extracted(
      """
      func f(_ seconds: Int, _ share: Double) {
        let hours = seconds / 3600
        let minutes = (seconds % 3600) / 60
        let left = share * 2 + share, mixed = share * seconds
        let called = total(seconds) / 2
        String(localized: "\\(hours):\\(minutes) \\(left)"); String(localized: "\\(mixed)"); String(localized: "\\(called)")
      }
      """)
    #expect(found.keys == ["%lld:%lld %lf", "%@", "%@"])
    #expect(found.texts.map(\.isGuessed) == [false, true, true])
  }

  @Test("have no specifier of an argument's label, which declares nothing")
  func labels() {
    let found = extracted(#"f(value: Double(value), name: String(name)); String(localized: "\(value) \(name)")"#)
    #expect(found.keys == ["%@ %@"])
    #expect(found.texts.map(\.isGuessed) == [true])
  }

  @Test("never make the scanner crash or hang, whatever bytes stand there", .fixtures)
  func mutations() throws {
    var random = SeededRandom(seed: 10)
    let wrappers = [".x", "f"].compactMap { WrapperSignature($0) }
    let options = ExtractionOptions(includesSwiftUI: true, wrappers: wrappers)
    for (name, language) in [("B.swift", SourceLanguage.swift), ("A.m", .c)] {
      let original = [UInt8](try Fixture.data("text/i18n_src/\(name)"))
      for _ in 0..<SeededRandom.rounds(or: 500) {
        let bytes = mutated(original, &random)
        _ = SourceExtraction(options).texts(in: Bytes(bytes), file: name, language: language)
      }
    }
    // Long literals and deep ones take time in proportion.
    let long = #"String(localized: ""# + String(repeating: #"\(a)"#, count: 20_000) + #"")"#
    #expect(extracted(long).keys.first?.count == 40_000)
    let nested =
      String(repeating: #"String(localized: "\("#, count: 3000) + "1" + String(repeating: #")")"#, count: 3000)
    #expect(extracted(nested).texts.count == 3000)
    let deep = String(repeating: "NSLocalizedString(\"\\(", count: 20_000)
    #expect(extracted(deep).texts.isEmpty)
    #expect(extracted(deep, .c).texts.isEmpty)
  }
}

/// Bytes with a few of them changed, removed, doubled or put elsewhere.
func mutated(_ original: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
  var bytes = original
  for _ in 0..<Int.random(in: 1...6, using: &random) where !bytes.isEmpty {
    let at = Int.random(in: bytes.indices, using: &random)
    switch Int.random(in: 0..<4, using: &random) {
    case 0: bytes[at] = UInt8.random(in: 0...255, using: &random)
    case 1: bytes.remove(at: at)
    case 2: bytes.insert(Array("\"\\(){}[]/*%#@;=,:\n".utf8).randomElement(using: &random) ?? 0, at: at)
    default:
      let end = min(bytes.count, at + Int.random(in: 1...40, using: &random))
      bytes.insert(contentsOf: bytes[at..<end], at: Int.random(in: bytes.indices, using: &random))
    }
  }
  return bytes
}

/// The expectations that the fixtures' authors have of a source.
enum ExpectedTexts {
  static func check(_ name: String, _ ending: String, _ language: SourceLanguage) throws {
    let data = try Fixture.data("text/i18n_src/\(name).expected.json")
    let expected = try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
    let path = try Fixture.path("text/i18n_src/\(name).\(ending)")
    let found = SourceExtraction().texts(in: try Bytes.mapping(path), file: path, language: language)
    #expect(found.dynamic.map(\.line) == expected.filter { $0["dynamic"] != nil }.map { $0["line"] as? Int })
    let texts = expected.filter { $0["dynamic"] == nil && $0["mode"] == nil }
    #expect(found.keys == texts.map { $0["key"] as? String })
    for (text, expected) in zip(found.texts, texts) {
      #expect(text.table == expected["table"] as? String)
      #expect(text.line == expected["line"] as? Int)
      #expect(text.comment == expected["comment"] as? String)
      #expect(text.value == expected["value"] as? String)
    }
  }
}
