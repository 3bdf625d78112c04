import Foundation
import MPaaSJSON
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSProject

@Suite("Objective-C of any models") struct ObjectiveCShapeTests {
  /// The names that a header declares for the whole program.
  private static func names(in header: String) -> [String] {
    var names: [String] = []
    var isEnumeration = false
    for line in header.split(separator: "\n").map(String.init) where !line.hasPrefix("///") {
      if line.hasPrefix("@interface ") {
        names.append(String(line.dropFirst(11).prefix { $0 != " " }))
      } else if line.hasPrefix("typedef NS_ENUM(NSInteger, ") {
        names.append(String(line.dropFirst(27).prefix { $0 != ")" }))
        isEnumeration = true
      } else if line.hasPrefix("};") {
        isEnumeration = false
      } else if isEnumeration {
        names.append(String(line.drop { $0 == " " }.prefix { $0 != " " }))
      } else if line.hasPrefix("typedef NSString *") {
        names.append(String(line.dropFirst(18).dropLast()))
      } else if line.hasPrefix("FOUNDATION_EXPORT ") {
        let head = line.prefix { $0 != "(" && $0 != ";" }
        names.append(String(head.split(separator: " ").last ?? "").replacing("*", with: ""))
      }
    }
    return names
  }

  /// The names of the properties of each class.
  private static func properties(in header: String) -> [[String]] {
    header.components(separatedBy: "@interface ").dropFirst().map { part in
      part.prefix { $0 != "@" }.isEmpty
        ? []
        : part.components(separatedBy: "\n").filter { $0.hasPrefix("@property") }.map { line in
          String(line.dropLast().reversed().prefix { $0 != " " && $0 != "*" }.reversed())
        }
    }
  }

  private func writer(_ schema: JSONValue, prefix: String = "LIB") throws -> ObjectiveCModelWriter {
    let source = try JSONSource(Array(schema.line.utf8), file: "root.json")
    return ObjectiveCModelWriter(
      try SchemaCompiler.compile([source], names: ["Root"]), .init(prefix: prefix, file: "Library"))
  }

  private func check(_ writer: ObjectiveCModelWriter, _ what: String) {
    let (header, implementation) = (writer.header, writer.implementation)
    let names = Self.names(in: header)
    let doubles = Dictionary(grouping: names) { $0 }.filter { $0.value.count > 1 }.keys.sorted()
    #expect(doubles == [], "\(what)")
    for properties in Self.properties(in: header) {
      #expect(Set(properties).count == properties.count, "\(what): \(properties)")
    }
    for text in [header, implementation] {
      #expect(text.count { $0 == "{" } == text.count { $0 == "}" }, "\(what)")
      #expect(!text.split(separator: "\n").contains { $0.hasSuffix("\\") }, "\(what)")
      #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" }, "\(what)")
    }
    #expect(
      header.components(separatedBy: "@interface ").count
        == implementation.components(separatedBy: "@implementation ").count)
  }

  @Test("declares each name once for the program, and each property once for its class")
  func random() throws {
    var random = RandomJSON(seed: 30)
    for round in 0..<SeededRandom.rounds(or: 60) {
      let schema = random.schemaDocument()
      guard let writer = try? writer(schema) else { continue }
      check(writer, "round \(round): \(schema.line)")
    }
    for round in 0..<SeededRandom.rounds(or: 60) {
      let value = random.object(depth: 3)
      let node = try JSONSource(Array(value.line.utf8), file: "s").root
      check(try writer(SampleSchema.schema(of: [node]).schema.value), "sample \(round): \(value.line)")
    }
  }

  @Test("keeps what is said of a member from ending a line of code: backslashes at the end, controls, long words")
  func comments() throws {
    for text in [
      "C:\\", "a \\ b", String(repeating: "x ", count: 48) + "y\\ z", "bell\u{7}", "nul\u{0}l", "a\nb\\\nc", "*/ \\\\",
    ] {
      let schema: JSONValue = [
        "type": "object",
        "properties": ["a": ["type": "string", "description": .string(text)], "b": ["type": "integer"]],
      ]
      let writer = try writer(schema)
      check(writer, text)
      #expect(writer.header.contains("copy, nullable) NSString *a;"))
      let swift = SwiftModelWriter.source(writer.set)
      #expect(!swift.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" }, "\(text)")
    }
  }

  @Test("tells a type from a constant of an enumeration that would be called the same")
  func constants() throws {
    let schema: JSONValue = [
      "type": "object",
      "properties": [
        "color": ["title": "Color", "enum": ["red", "blue"]],
        "red": ["title": "ColorRed", "type": "object", "properties": ["x": ["type": "integer"]]],
        "number": ["title": "Number", "enum": [1, 2]],
        "one": ["title": "NumberValue1", "type": "object", "properties": ["x": ["type": "integer"]]],
      ],
    ]
    check(try writer(schema), "constants")
  }

  @Test("writes the smallest whole number so that C reads it as one")
  func smallest() throws {
    let schema: JSONValue = ["enum": [.negative(.min), 0, .unsigned(UInt64(Int64.max))]]
    let writer = try writer(schema)
    #expect(!writer.header.contains("-9223372036854775808"))
    #expect(writer.header.contains("= 9223372036854775807,"))
    #expect(!writer.implementation.contains("-9223372036854775808"))
  }

  @Test(
    "holds what is always there as C has it, and all else as objects that may be nil",
    arguments: [
      ("integer", true, "NSInteger a;"), ("integer", false, "nullable) NSNumber *a;"), ("number", true, "double a;"),
      ("boolean", true, "BOOL a;"), ("boolean", false, "nullable) NSNumber *a;"),
      ("string", true, "copy) NSString *a;"),
      ("string", false, "copy, nullable) NSString *a;"), ("array", true, "copy) NSArray *a;"),
      ("null", true, "nullable) id a;"),
      ("object", false, "nullable) NSDictionary<NSString *, id> *a;"),
    ])
  func storage(kind: String, isRequired: Bool, property: String) throws {
    var members: [String: JSONValue] = ["type": "object", "properties": ["a": ["type": .string(kind)]]]
    if isRequired { members["required"] = ["a"] }
    let header = try writer(.object(members)).header
    #expect(header.contains(property), "\(header)")
  }
}

@Suite("Swift of any models") struct SwiftShapeTests {
  private func source(_ schema: JSONValue, _ options: SwiftModelWriter.Options = .init()) throws -> String {
    let source = try JSONSource(Array(schema.line.utf8), file: "root.json")
    return SwiftModelWriter.source(try SchemaCompiler.compile([source], names: ["Root"]), options)
  }

  /// The bytes without those of string literals and comments, whose braces are no code.
  private static func code(_ text: String) -> [UInt8] {
    var code: [UInt8] = []
    for line in text.split(separator: "\n") where !line.contains("///") {
      var rest = Array(line.utf8)[...]
      while let byte = rest.popFirst() {
        guard byte == UInt8(ascii: "\"") else {
          code.append(byte)
          continue
        }
        let hashes = code.reversed().prefix { $0 == UInt8(ascii: "#") }.count
        let end = Array(("\"" + String(repeating: "#", count: hashes)).utf8)
        while !rest.isEmpty, !rest.starts(with: end) {
          rest = rest.dropFirst(hashes == 0 && rest.first == UInt8(ascii: "\\") ? 2 : 1)
        }
        rest = rest.dropFirst(end.count)
      }
    }
    return code
  }

  private static func count(_ sign: Unicode.Scalar, in code: [UInt8]) -> Int { code.count { $0 == UInt8(ascii: sign) } }

  @Test("has as many braces open as closed, lines that end in no blank, and no two blank lines")
  func lines() throws {
    var random = RandomJSON(seed: 35)
    for round in 0..<SeededRandom.rounds(or: 60) {
      let schema = random.schemaDocument()
      for options in [SwiftModelWriter.Options(), .init(access: .public, dates: .date, namespace: "名")] {
        guard let text = try? source(schema, options) else { continue }
        let code = Self.code(text)
        #expect(Self.count("{", in: code) == Self.count("}", in: code), "round \(round): \(schema.line)")
        #expect(Self.count("(", in: code) == Self.count(")", in: code), "round \(round): \(schema.line)")
        #expect(!text.contains(" \n"), "round \(round)")
        #expect(!text.contains("\n\n\n"), "round \(round)")
      }
    }
  }

  @Test(
    "says the access of each declaration, and none where it is Swift's own",
    arguments: SwiftModelWriter.Options.Access.allCases)
  func access(access: SwiftModelWriter.Options.Access) throws {
    let schema: JSONValue = [
      "type": "object", "required": ["a"],
      "properties": ["a": ["enum": ["x", "y"]], "b": ["type": ["string", "integer"]]],
    ]
    let text = try source(schema, .init(access: access))
    let word = access == .internal ? "" : access.rawValue + " "
    for declaration in ["struct Root: ", "enum A: String, ", "enum B: JSONModel", "  var a: A", "  init("] {
      let indent = declaration.prefix { $0 == " " }
      #expect(
        text.contains("\n" + indent + word + declaration.dropFirst(indent.count)) || text.hasPrefix(word + declaration),
        "\(declaration)")
    }
    #expect((text.contains("public ") || text.contains("package ")) == (access != .internal))
  }

  @Test(
    "has dates as they were asked for",
    arguments: [
      (SwiftModelWriter.Options.Dates.exact, "JSONDateTime", "JSONDate"), (.date, "Date", "String"),
      (.string, "String", "String"),
    ])
  func dates(dates: SwiftModelWriter.Options.Dates, time: String, day: String) throws {
    let schema: JSONValue = [
      "type": "object", "required": ["t", "d"],
      "properties": ["t": ["type": "string", "format": "date-time"], "d": ["type": "string", "format": "date"]],
    ]
    let text = try source(schema, .init(dates: dates))
    #expect(text.contains("var t: \(time)\n"))
    #expect(text.contains("var d: \(day)\n"))
    #expect(text.contains("report.format(json, .dateTime)"))
  }
}
