import Foundation
import MPaaSConfig
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("The reader of XML property lists") struct PropertyListReaderTests {
  static func read(_ text: String) throws(ConfigError) -> PropertyListDocument {
    try PropertyListDocument(Array(text.utf8), file: "a.plist")
  }

  @Test("reads every real file as plistlib does, and gives its bytes back", .fixtures, .tool("python3"))
  func fixtures() throws {
    let files = try PropertyListFixtures.files()
    let peer = try PropertyListFixtures.peer(files)
    var count = 0
    for file in files {
      let bytes = [UInt8](try Data(contentsOf: URL(filePath: file)))
      guard PropertyListFixtures.isXML(bytes), let expected = peer[file] else { continue }
      do {
        let document = try PropertyListDocument(bytes, file: file)
        #expect(PropertyListFixtures.dump(document.root) == expected, "\(file)")
        #expect(document.bytes == bytes, "\(file)")
        count += 1
      } catch {
        // Data with padding in its middle, which plistlib passes over.
        #expect(file.hasSuffix("clusterfuzz-testcase-4663876528373760"), "\(file): \(error)")
      }
    }
    #expect(count > 70)
  }

  @Test(
    "refuses what plistlib refuses, with a place, but for numbers of control characters", .fixtures, .tool("python3"))
  func malformed() throws {
    let files = try PropertyListFixtures.files()
    let peer = try PropertyListFixtures.peer(files)
    var count = 0
    for file in files where peer[file] == nil && !file.hasSuffix("javascriptcore_tests.plist") {
      let bytes = [UInt8](try Data(contentsOf: URL(filePath: file)))
      let error = #expect(throws: ConfigError.self, "\(file)") { try PropertyListDocument(bytes, file: file) }
      #expect(error?.place != nil, "\(file)")
      count += 1
    }
    #expect(count > 15)
  }

  @Test("knows all types, entities, CDATA, comments inside and outside, and empty elements")
  func types() throws {
    let document = try Self.read(
      """
      <?xml version="1.0"?><!-- a --><!DOCTYPE plist><plist version="1.0">
      <dict><!-- b --><key>a&amp;&#x62;</key><string>x<![CDATA[<&]]><!-- c -->y&lt;</string><key/><array/>
      <key>i</key><integer> -0x10 </integer><key>u</key><integer>18446744073709551615</integer>
      <key>r</key><real>1.5e3</real><key>t</key><true></true><key>f</key><false />
      <key>d</key><date>2024-02-29T23:59:59Z</date><key>b</key><data> aGVs
      bG8= </data></dict></plist>
      """)
    let root = document.root
    #expect(root["a&b"]?.string == "x<&y<")
    #expect(root[""] == .array([]))
    #expect(root["i"]?.integer == -16)
    #expect(root["u"]?.content.isInteger(18_446_744_073_709_551_615) == true)
    #expect(root["u"]?.integer == nil)
    #expect(root["r"] == .real(1500))
    #expect(root["t"]?.boolean == true)
    #expect(root["f"]?.boolean == false)
    #expect(root["d"]?.element == "date")
    #expect(root["b"] == .data(Array("hello".utf8)))
  }

  @Test("reads UTF-16, UTF-32, ISO 8859-1 and byte order marks, and writes them as they were")
  func encodings() throws {
    let text = "<?xml version=\"1.0\" encoding=\"X\"?>\n<plist><string>größe 表</string></plist>\n"
    let units = Array(text.utf16)
    let big: [UInt8] = units.flatMap { unit -> [UInt8] in [UInt8(unit >> 8), UInt8(unit & 0xff)] }
    let little: [UInt8] = [0xff, 0xfe] + units.flatMap { unit -> [UInt8] in [UInt8(unit & 0xff), UInt8(unit >> 8)] }
    let wide: [UInt8] = text.unicodeScalars.flatMap { scalar -> [UInt8] in
      [0, 8, 16, 24].map { shift -> UInt8 in UInt8(truncatingIfNeeded: scalar.value >> UInt32(shift)) }
    }
    let marked: [UInt8] = [0xef, 0xbb, 0xbf] + Array(text.utf8)
    for bytes in [big, little, wide, marked] {
      let document = try PropertyListDocument(bytes, file: "a")
      #expect(document.root.string == "größe 表")
      #expect(document.bytes == bytes)
      let changed = try document.setting(.string("ü"), at: [])
      let back = try changed.setting(.string("größe 表"), at: [])
      #expect(changed.bytes != bytes)
      #expect(back.bytes == bytes)
    }
    let latin =
      Array("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><plist><string>".utf8) + [0xfc]
      + Array("</string></plist>".utf8)
    let document = try PropertyListDocument(latin, file: "a")
    #expect(document.root.string == "ü")
    #expect(document.bytes == latin)
    let changed = try document.setting(.string("ä表"), at: [])
    #expect(changed.root.string == "ä表")
    #expect(changed.bytes.contains(0xe4))
  }

  static let refused: [(String, ConfigError.Code, Int, Int)] = [
    ("<plist>\n <dict><string>a</string></dict></plist>", .plistKeyMissing, 2, 8),
    ("<plist><dict>\n<key>a</key></dict></plist>", .plistValueMissing, 2, 1),
    ("<plist><dict><key>a</key><key>b</key></dict></plist>", .plistValueMissing, 1, 14),
    ("<plist><array>\n<strin>a</strin></array></plist>", .plistElement, 2, 1),
    ("<plist><array><string>a</array></plist>", .plistClosing, 1, 24),
    ("<plist><array>\n\n</dict></plist>", .plistClosing, 3, 1),
    ("<plist><array>", .plistUnclosed, 1, 8),
    ("<plist><string>abc", .plistUnclosed, 1, 8),
    ("<plist><array>表x</array></plist>", .plistText, 1, 15),
    ("<plist><integer>1x</integer></plist>", .plistValue, 1, 17),
    ("<plist><date>2023-02-29T00:00:00Z</date></plist>", .plistValue, 1, 14),
    ("<plist><data>a</data></plist>", .plistValue, 1, 14),
    ("<plist><string>&nbsp;</string></plist>", .plistReference, 1, 16),
    ("<plist><string>表表&x</string></plist>", .plistReference, 1, 18),
    ("<plist><string>\u{1}</string></plist>", .plistCharacter, 1, 16),
    ("<plist></plist>", .plistEmpty, 1, 8),
    ("<plist/>", .plistEmpty, 1, 1),
    ("<plist><true/><true/></plist>", .plistSecondValue, 1, 15),
    ("<plist><true/></plist><true/>", .plistSecondValue, 1, 23),
    ("<!DOCTYPE plist [<!ENTITY a \"b\">]><plist><true/></plist>", .plistMarkup, 1, 17),
    ("<plist><!-- <true/></plist>", .plistMarkup, 1, 8),
    ("<plist a=<><true/></plist>", .plistMarkup, 1, 1),
  ]

  @Test("names the line and the column of what cannot stand there", arguments: refused)
  func places(text: String, code: ConfigError.Code, line: Int, column: Int) {
    let error = #expect(throws: ConfigError.self) { try Self.read(text) }
    #expect(
      error?.code == code,
      "\(text): \(String(describing: error))")
    #expect(
      error?.place == .text(file: "a.plist", line: line, column: column),
      "\(text): \(String(describing: error))")
  }

  @Test("says that other formats are read elsewhere")
  func formats() {
    for text in ["bplist00xx", "{ a = b; }", "( a )", "\"a\"", "<0fbd77>", "// !$*UTF8*$!\n{}"] {
      let error = #expect(throws: ConfigError.self) { try Self.read(text) }
      #expect(error?.code == .plistFormat, "\(text)")
    }
    let error = #expect(throws: ConfigError.self) { try PropertyListDocument([0x3c, 0xff, 0x61], file: "a") }
    #expect(error?.code == .plistEncoding)
  }

  @Test("nests to a limit, and no further")
  func depth() throws {
    func nested(_ depth: Int) -> String {
      "<plist>" + String(repeating: "<array>", count: depth) + String(repeating: "</array>", count: depth) + "</plist>"
    }
    #expect(try Self.read(nested(512)).root.values?.count == 1)
    let error = #expect(throws: ConfigError.self) { try Self.read(nested(513)) }
    #expect(error?.code == .plistTooDeep)
    #expect(throws: ConfigError.self) { try Self.read(nested(100_000)) }
  }

  @Test("never crashes on damaged files, and what it takes it edits without loss", .fixtures)
  func fuzz() throws {
    var random = SeededRandom(seed: 6)
    let seeds = try PropertyListFixtures.files().map { [UInt8](try Data(contentsOf: URL(filePath: $0))) }
      .filter { PropertyListFixtures.isXML($0) && $0.count < 8000 }
    let words = [
      "<dict>", "</dict>", "<key>", "&", "]]>", "<!--", "-->", "<array/>", "<![CDATA[", "<", ">", "\"", "\r\n",
    ]
    for _ in 0..<SeededRandom.rounds(or: 800) {
      var bytes = seeds.randomElement(using: &random) ?? []
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let start = Int.random(in: 0...bytes.count, using: &random)
        let end = min(bytes.count, start + Int.random(in: 0...12, using: &random))
        let new =
          Bool.random(using: &random)
          ? Array((words.randomElement(using: &random) ?? "").utf8) : [UInt8.random(in: 0...255, using: &random)]
        bytes.replaceSubrange(start..<end, with: new)
      }
      guard let document = try? PropertyListDocument(bytes, file: "a") else { continue }
      #expect(document.bytes == bytes)
      if document.root.members != nil {
        let added = try document.setting(.array([.string("x")]), at: ["mpaas new"])
        #expect(try added.removing(at: ["mpaas new"]).root == document.root)
      }
    }
  }
}

extension PropertyListValue.Content {
  func isInteger(_ number: UInt64) -> Bool {
    if case .integer(let own) = self { own == PropertyListInteger(number) } else { false }
  }
}
