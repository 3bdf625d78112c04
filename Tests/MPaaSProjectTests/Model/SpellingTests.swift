import Foundation
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSProject

/// Texts with all that a literal has to mind.
enum OddTexts {
  static func all(_ count: Int, seed: UInt64) -> [String] {
    var random = SeededRandom(seed: seed)
    let pieces = [
      "\"", "\\", "#", "\"#", "\\#", "\"##", "\\(x)", "\n", "\r", "\t", "\u{0}", "\u{7}", "\u{7f}", "\u{202e}",
      "\u{feff}",
      "\u{2028}", "\u{a0}", "中", "🙂", "👨‍👩‍👧", "e\u{301}", "\u{301}", "a", " ", "'", "?", "??/", "0", "9", "%@", "\u{e000}",
    ]
    return pieces
      + (0..<count).map { _ in
        (0..<Int.random(in: 0...7, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
      }
  }
}

@Suite("Swift's spelling") struct SwiftSpellingTests {
  /// The text that a string literal of Swift stands for: plain, or raw between number signs; nil where it is none.
  ///
  /// - Source: The Swift Programming Language, "String Literals".
  private static func text(of literal: String) -> String? {
    let scalars = Array(literal.unicodeScalars)
    let hashes = scalars.prefix { $0 == "#" }.count
    guard scalars.count >= 2 * hashes + 2, scalars[hashes] == "\"", scalars.suffix(hashes).allSatisfy({ $0 == "#" }),
      scalars[scalars.count - 1 - hashes] == "\""
    else { return nil }
    let body = Array(scalars[(hashes + 1)..<(scalars.count - 1 - hashes)])
    var result = String.UnicodeScalarView()
    var index = 0
    func marks(at place: Int) -> Int { body[min(place, body.count)...].prefix { $0 == "#" }.count }
    while index < body.count {
      let scalar = body[index]
      index += 1
      if scalar == "\"", hashes == 0 || marks(at: index) >= hashes { return nil }
      if scalar == "\n" || scalar == "\r" || scalar.value == 0 { return nil }
      guard scalar == "\\", marks(at: index) >= hashes else {
        result.append(scalar)
        continue
      }
      index += hashes
      guard index < body.count else { return nil }
      let plain: [Unicode.Scalar: Unicode.Scalar] = ["n": "\n", "r": "\r", "t": "\t", "\"": "\"", "\\": "\\"]
      if let meant = plain[body[index]] {
        result.append(meant)
        index += 1
      } else if body[index] == "u", let end = body[index...].firstIndex(of: "}"),
        let value = UInt32(String(String.UnicodeScalarView(body[(index + 2)..<end])), radix: 16),
        let meant = Unicode.Scalar(value)
      {
        result.append(meant)
        index = end + 1
      } else {
        return nil
      }
    }
    return String(result)
  }

  @Test("of a text is read as the same text, to the scalar, and shows what would not be seen")
  func literals() {
    for text in OddTexts.all(SeededRandom.rounds(or: 500), seed: 24) {
      let literal = SwiftSpelling.literal(text)
      #expect(Self.text(of: literal).map { Array($0.unicodeScalars) } == Array(text.unicodeScalars), "\(literal)")
      #expect(
        !literal.unicodeScalars.contains { $0.value < 0x20 || $0 == "\u{202e}" || $0 == "\u{2028}" }, "\(literal)")
    }
  }

  @Test("of a text that says something is raw only where that reads better")
  func raw() {
    #expect(SwiftSpelling.literal("plain") == "\"plain\"")
    #expect(SwiftSpelling.literal("it's #1") == "\"it's #1\"")
    #expect(SwiftSpelling.literal("^\\d+$") == "#\"^\\d+$\"#")
    #expect(SwiftSpelling.literal("say \"x\"") == "#\"say \"x\"\"#")
    #expect(SwiftSpelling.literal("\\(x)") == "#\"\\(x)\"#")
    #expect(SwiftSpelling.literal("a\"\n") == "\"a\\\"\\n\"")
  }

  @Test("of names puts words of the language in back-ticks, and gives others that every type has another name")
  func names() {
    #expect(SwiftSpelling.member("class") == "`class`")
    #expect(SwiftSpelling.member("self") == "selfMember")
    #expect(SwiftSpelling.member("init") == "initMember")
    #expect(SwiftSpelling.member("jsonValue") == "jsonValueMember")
    #expect(SwiftSpelling.member("value") == "value")
    for word in SwiftWords.reserved.subtracting(["_", "actor", "async", "some", "any", "macro"]) {
      #expect(SwiftSpelling.member(word) != word, "\(word)")
    }
  }
}

@Suite("Objective-C's spelling") struct ObjectiveCSpellingTests {
  /// The bytes that a C string stands for; nil where it is none.
  private static func bytes(of literal: String) -> [UInt8]? {
    let all = Array(literal.utf8)
    guard all.count >= 2, all.first == 0x22, all.last == 0x22 else { return nil }
    let body = all.dropFirst().dropLast()
    var result: [UInt8] = []
    var index = body.startIndex
    while index < body.endIndex {
      let byte = body[index]
      index += 1
      guard byte >= 0x20, byte < 0x7f, byte != 0x22 else { return nil }
      guard byte == 0x5c else {
        result.append(byte)
        continue
      }
      guard index < body.endIndex else { return nil }
      let digits = body[index...].prefix(3).prefix { 0x30...0x37 ~= $0 }
      if digits.isEmpty {
        let plain: [UInt8: UInt8] = [0x22: 0x22, 0x5c: 0x5c, 0x6e: 0x0a, 0x3f: 0x3f]
        guard let meant = plain[body[index]] else { return nil }
        result.append(meant)
        index += 1
      } else {
        guard let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 8) else { return nil }
        result.append(value)
        index += digits.count
      }
    }
    return result
  }

  @Test("of a text is read as the same bytes")
  func literals() {
    for text in OddTexts.all(SeededRandom.rounds(or: 500), seed: 25) {
      let literal = ObjectiveCSpelling.literal(text)
      #expect(literal.hasPrefix("@\""))
      #expect(Self.bytes(of: String(literal.dropFirst())) == Array(text.utf8), "\(literal)")
      // Trigraphs are replaced before anything else is read.
      #expect(!literal.contains("??"), "\(literal)")
    }
  }

  @Test(
    "of names avoids what every object has, and families of methods that own what they return",
    arguments: [
      ("id", "identifier"), ("hash", "hashValue"), ("description", "descriptionValue"), ("copy", "theCopy"),
      ("copyright", "copyright"), ("copyRight", "theCopyRight"), ("newest", "newest"), ("new_", "theNew_"),
      ("init2", "theInit2"),
      ("allocated", "allocated"), ("mutableCopyOf", "theMutableCopyOf"), ("int", "intValue"), ("delete", "deleteValue"),
      ("名", "名"), ("value", "value"),
    ])
  func properties(name: String, spelled: String) { #expect(ObjectiveCSpelling.property(name) == spelled) }
}

@Suite("Names made of anything") struct ModelNamePropertyTests {
  private static func texts() -> [String] {
    var random = SeededRandom(seed: 26)
    let ranges: [ClosedRange<UInt32>] = [
      0x20...0x7e, 0xa0...0x2ff, 0x370...0x5ff, 0x900...0x9ff, 0x3000...0x30ff, 0x4e00...0x4eff, 0x1f300...0x1f6ff,
      0x1d400...0x1d4ff,
    ]
    return RandomJSON.names
      + (0..<SeededRandom.rounds(or: 800)).map { _ in
        let range = ranges.randomElement(using: &random) ?? 0x20...0x7e
        let scalars = (0..<Int.random(in: 0...8, using: &random)).compactMap { index in
          Unicode.Scalar(UInt32.random(in: index % 3 == 0 ? 0x20...0x7e : range, using: &random))
        }
        return String(String.UnicodeScalarView(scalars))
      }
  }

  @Test("are identifiers")
  func identifiers() {
    for text in Self.texts() {
      for name in [ModelName.type(text), ModelName.property(text)] {
        guard let first = name.unicodeScalars.first else { Issue.record("\(text): empty"); continue }
        #expect(first.properties.isXIDStart || first == "_", "\(text): \(name)")
        #expect(name.unicodeScalars.allSatisfy { $0.properties.isXIDContinue }, "\(text): \(name)")
      }
    }
  }

  @Test("begin large for types and small for members, where letters know the difference")
  func capitals() {
    for text in Self.texts() {
      let (type, property) = (ModelName.type(text), ModelName.property(text))
      #expect(type.first?.uppercased() == type.first.map(String.init), "\(text): \(type)")
      #expect(property.first?.lowercased() == property.first.map(String.init), "\(text): \(property)")
    }
  }

  @Test(
    "say signs in words where there is nothing else",
    arguments: [
      ("+", "plus"), ("-", "minus"), ("<=", "lessEqual"), ("+1", "plus1"), ("-1", "minus1"), ("a+b", "aB"),
      ("$", "dollar"),
      ("_", "underscore"), ("...", "dotDotDot"), ("@", "at"), ("日-期", "日期"), ("·", "empty"), ("\u{200b}", "empty"),
      ("+ 1", "_1"), ("%1", "_1"),
    ])
  func signs(text: String, name: String) { #expect(ModelName.property(text) == name) }
}
