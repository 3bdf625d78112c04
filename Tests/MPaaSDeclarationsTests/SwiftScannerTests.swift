import Foundation
import MPaaSDeclarations
import MPaaSTestSupport
import Testing

@Suite("The scanner of Swift declarations") struct SwiftScannerTests {
  static func scan(_ source: String) -> [TypeDeclaration] {
    DeclarationScanner.scan(Array(source.utf8), file: "A.swift")
  }

  /// `kind name: inherited` of each.
  static func heads(_ source: String) -> [String] {
    scan(source).map { type in
      "\(type.kind.rawValue) \(type.name)"
        + (type.inherited.isEmpty ? "" : ": " + type.inherited.joined(separator: ", "))
    }
  }

  /// `name: type` of the properties of the first type.
  static func properties(_ body: String) -> [String] {
    scan("final class A {\n\(body)\n}").first?.properties.map { property in
      "\(property.name): \(property.type)\(property.isOptional ? "?" : "")"
    } ?? []
  }

  @Test("finds every kind, nested, with what it inherits and where it stands")
  func kinds() throws {
    let source = """
      import class Foundation.NSObject
      public final class A<T: Hashable>: Base<T>, @unchecked Sendable, P & Q where T: Codable {
        struct B { enum C: String, CaseIterable { case class_, protocol_ } }
        class func make() -> A { A() }
        class var shared: A { A() }
      }
      actor D {}; indirect enum E {}
      protocol F: AnyObject, Sendable { associatedtype X: Codable; var x: Int { get } }
      extension A.B: CustomStringConvertible { struct G {} }
      extension Array<Int>: F where Element: P {}
      extension Box<[A: B]>.Lid: F {}
      distributed actor H {}
      let actor = 1; func `class`() {}
      """
    #expect(
      Self.heads(source) == [
        "class A: Base<T>, @unchecked Sendable, P & Q", "struct A.B", "enum A.B.C: String, CaseIterable", "actor D",
        "enum E", "protocol F: AnyObject, Sendable", "extension A.B: CustomStringConvertible", "struct A.B.G",
        "extension Array: F", "extension Box.Lid: F", "actor H",
      ])
    let first = try #require(Self.scan(source).first)
    #expect(first.line == 2)
    #expect(first.column == 20)
    #expect(first.isGeneric)
    #expect(first.modifiers == ["public", "final"])
  }

  @Test("is not led astray by strings, comments, regexes and bodies")
  func literals() {
    let source = ##"""
      // class X1 {
      /* class X2 { /* class X3 */ } class X4 { */
      let a = "class X5 { \(f("}") + "\(1)") \" {"
      let b = """
        class X6 { "quoted" \(g { "}" })
        """, c = #"class X7 { " \(x) \#("}")"#, d = #"""
        " class X8 {
        """#
      func f() { class Local {}; let r = /[{"]+\/x/; let q = 4 / 2 / 1; if a /= b {} ; s.split(/}/) }
      let e = #/ { " } class X9 /#
      class Real { let f = { class Inner {} }(); let g = [1: "}"] }
      struct `Type` { var `class`: Int }
      #Preview("x}") { struct Seen {} }
      macro m() = #externalMacro(module: "A", type: "class")
      final class Last {}
      """##
    #expect(Self.heads(source) == ["class Real", "struct Type", "class Last"])
  }

  @Test("says under which conditions a type is there")
  func conditions() {
    let source = """
      #if os(iOS) // phones
      class A {}
      #if DEBUG
      class B {}
      #endif
      #elseif os(macOS)
      class C {}
      #else
      class D { 
        #if X
        struct E {}
        #endif
      }
      #endif
      class F {}
      """
    #expect(
      Self.scan(source).map(\.conditions) == [
        ["os(iOS)"], ["os(iOS)", "DEBUG"], ["!(os(iOS)) && (os(macOS))"], ["!(os(iOS)) && !(os(macOS))"],
        ["!(os(iOS)) && !(os(macOS))", "X"], [],
      ])
  }

  static let bodies: [(String, [String])] = [
    ("var a: Int; let b: String?, c: [String: [Int]]", ["a: Int", "b: String?", "c: [String: [Int]]"]),
    ("var a = 1, b = -2.5, c = \"x\", d = true, e = 0x1e", ["a: Int", "b: Double", "c: String", "d: Bool", "e: Int"]),
    (
      "var a = Date(), b = [String](), c = Dictionary<String, Int>(), d = Color.red, e = A.shared, f = Date().x",
      ["a: Date", "b: [String]", "c: Dictionary<String, Int>", "d: ", "e: ", "f: "]
    ),
    ("var a: Int { 1 }\nvar b: Int { get { 1 } set {} }\nvar c: Int\n{\n  1\n}", []),
    ("var a: Int { didSet { x() } }\nvar b = 1 { willSet {} }\nvar c = 2\n", ["a: Int", "b: Int", "c: Int"]),
    ("@Published(x: 1) private(set) var a: Int = 5\n@A @B\nlazy var b: C = { C() }()", ["a: Int", "b: C"]),
    (
      "var a: (Int, String) -> Void = { _, _ in }\nvar b: (@Sendable () async throws -> Int)?",
      ["a: (Int, String) -> Void", "b: (@Sendable () async throws -> Int)?"]
    ),
    (
      "var a: Optional<Int>\nvar b: String!\nvar c: any P & Q\nvar d: A.B<C, [D]>?",
      ["a: Int?", "b: String?", "c: any P & Q", "d: A.B<C, [D]>?"]
    ),
    ("let (a, b) = (1, 2)\nvar c: Int", ["c: Int"]),
    ("var a =\n  1 +\n  2\nvar b = x\n  .map { $0 }\n  ?? 3\nvar c: Int", ["a: ", "b: ", "c: Int"]),
    (
      "init() { let x = 1 }\nfunc f(a: Int = { 1 }()) -> Int { var y = 2; return y }\nsubscript(i: Int) -> Int { i }\ndeinit {}\nvar z: Int",
      ["z: Int"]
    ),
    (
      "var a: Int = if x { 1 } else { 2 }\nvar b: Int = switch y {\n  case 1: 2\n  default: 3\n}\nvar c: Int",
      ["a: Int", "b: Int", "c: Int"]
    ),
    (
      "var a: Int // the first\nvar b /* x */ : /* y */ String /* z */\nvar c:\n  Int",
      ["a: Int", "b: String", "c: Int"]
    ),
    (
      "typealias T = Int\nvar url: URL? = URL(string: \"http://a\")\nstatic let s = 1\nweak var d: D?",
      ["url: URL?", "s: Int", "d: D?"]
    ),
    ("#if DEBUG\nvar a: Int\n#else\nvar a: String\n#endif", ["a: Int", "a: String"]),
    ("let f = #selector(x), g: Int\n@objc dynamic var h = 0", ["f: ", "g: Int", "h: Int"]),
  ]

  @Test("tells stored properties, their types and first values from all else", arguments: bodies)
  func properties(body: String, expected: [String]) {
    #expect(Self.properties(body) == expected, "\(body)")
  }

  @Test("keeps attributes, modifiers, lines and Objective-C names")
  func details() throws {
    let source = """
      @objc(APCart) @MainActor @available(iOS 18, *) fileprivate class Cart {
        @Published private(set)
        var items: [Item] = []
        static let shared = Cart()
      }
      """
    let type = try #require(Self.scan(source).first)
    #expect(type.objectiveCName == "APCart")
    #expect(type.modifiers == ["fileprivate"])
    #expect(type.attributes == ["objc(APCart)", "MainActor", "available(iOS 18, *)"])
    let items = try #require(type.properties.first)
    #expect(items.attributes == ["Published"])
    #expect(items.modifiers == ["private(set)"])
    #expect(items.line == 3)
    #expect(type.properties.map(\.isStatic) == [false, true])
    #expect(type.properties.map(\.isConstant) == [false, true])
  }

  @Test("finds in our own sources what stands at the beginning of their lines")
  func own() throws {
    let sources = Fixture.package.appending(path: "Sources")
    var count = 0
    for path in try FileManager.default.subpathsOfDirectory(atPath: sources.path) where path.hasSuffix(".swift") {
      let text = try String(contentsOf: sources.appending(path: path), encoding: .utf8)
      // Declarations of a source that lies in a condition as a whole begin no line.
      let conditions = [
        "canImport(UIKit)", "canImport(ObjectiveC)", "canImport(Security)", "!canImport(Security)",
        "canImport(CryptoKit) ||", "!canImport(CryptoKit) &&", "os(Linux)",
      ]
      let first = text.split(separator: "\n").first { !$0.hasPrefix("//") } ?? ""
      if conditions.contains(where: { first.hasPrefix("#if " + $0) }) { continue }
      let names = Self.scan(text).filter { !$0.name.contains(".") || $0.kind == .extension }.map {
        "\($0.kind.rawValue) \($0.name)"
      }
      let expected = text.split(separator: "\n", omittingEmptySubsequences: false).compactMap { line -> String? in
        guard line.first?.isWhitespace == false else { return nil }
        var words = line.prefix { $0 != "{" && $0 != "/" }.split(whereSeparator: { " :".contains($0) }).map(String.init)
        while let word = words.first,
          word.hasPrefix("@")
            || ["package", "public", "open", "private", "final", "fileprivate", "internal", "indirect"].contains(word)
        { words.removeFirst() }
        guard words.count > 1, TypeDeclaration.Kind(rawValue: words[0]) != nil else { return nil }
        // A type in brackets has a blank of its own.
        if words[1].hasPrefix("["), let end = line.firstIndex(of: "]"), let start = line.firstIndex(of: "[") {
          return words[0] + " " + line[start...end]
        }
        let bare = words[1].replacing(#/<[^<>]*>/#, with: "")
        return words[0] + " " + String(bare.prefix { $0 != "<" })
      }
      #expect(names.filter { name in !name.contains(".") || name.hasPrefix("extension") } == expected, "\(path)")
      count += expected.count
    }
    #expect(count > 1000)
  }

  @Test("never crashes or hangs on damaged sources")
  func fuzz() throws {
    var random = SeededRandom(seed: 7)
    let names = [
      "MPaaSDeclarations/Swift/SwiftLexer.swift", "MPaaSConfig/Runtime/RuntimeTableSource.swift",
      "MPaaSSupport/JSON/JSONReader.swift",
    ]
    let seeds = try names.map { [UInt8](try Data(contentsOf: Fixture.package.appending(path: "Sources/\($0)"))) }
    let words = [
      "\"\"\"", "\"", "#\"", "\\(", "{", "}", "(", ")", "/*", "*/", "/", "class ", "var ", ":", "<", ">", "#if ",
      "#endif", "`", "@", "=", ",", "\n",
    ]
    for _ in 0..<SeededRandom.rounds(or: 400) {
      var bytes = seeds.randomElement(using: &random) ?? []
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let start = Int.random(in: 0...bytes.count, using: &random)
        let end = min(bytes.count, start + Int.random(in: 0...30, using: &random))
        let new =
          Bool.random(using: &random)
          ? Array((words.randomElement(using: &random) ?? "").utf8) : [UInt8.random(in: 0...255, using: &random)]
        bytes.replaceSubrange(start..<end, with: new)
      }
      for language in [TypeDeclaration.SourceLanguage.swift, .objectiveC] {
        let types = DeclarationScanner.scan(bytes, file: "a", language: language)
        #expect(types.allSatisfy { $0.line >= 1 && $0.column >= 1 })
      }
    }
    let deep = String(repeating: "\"\\(", count: 20_000)
    #expect(Self.scan(deep).isEmpty)
    #expect(Self.scan(String(repeating: "class A { ", count: 2000)).count == 2000)
  }
}
