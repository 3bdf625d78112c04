import Foundation
import MPaaSConfig
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("Edits of property lists") struct PropertyListEditTests {
  static func text(_ document: PropertyListDocument) -> String { String(decoding: document.bytes, as: UTF8.self) }
  static let read = PropertyListReaderTests.read

  static let sample = """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0">
    <dict>
      <!-- first -->
      <key>a</key> <!-- behind a -->
      <string>1</string> <!-- one -->
      <key>list</key>
      <array>
        <string>x</string> <!-- ex -->
        <!-- before y -->
        <string>y</string>
      </array>
      <key>none</key>
      <array />
      <key>inline</key><array><true/><false/></array>
    </dict>
    </plist>
    """

  @Test("a value is changed where it stands; all else stays, and the same value changes nothing")
  func set() throws {
    let document = try Self.read(Self.sample)
    let changed = try document.setting(.string("a<b & c"), at: ["a"])
    #expect(Self.text(changed) == Self.sample.replacing("<string>1<", with: "<string>a&lt;b &amp; c<"))
    #expect(try document.setting(.string("1"), at: ["a"]).bytes == document.bytes)
    let item = try document.setting(.integer(7), at: ["list", 1])
    #expect(Self.text(item) == Self.sample.replacing("<string>y</string>", with: "<integer>7</integer>"))
  }

  @Test("entries are added with the indentation of their neighbours, behind the comments of the one before")
  func insert() throws {
    let document = try Self.read(Self.sample)
    let end = try document.inserting(.dictionary([("k", .array([]))]), into: ["list"])
    #expect(
      Self.text(end)
        == Self.sample.replacing(
          "<string>y</string>\n",
          with: "<string>y</string>\n    <dict>\n      <key>k</key>\n      <array/>\n    </dict>\n"))
    let middle = try document.inserting(.string("m"), into: ["list"], at: 1)
    #expect(Self.text(middle) == Self.sample.replacing("<!-- ex -->", with: "<!-- ex -->\n    <string>m</string>"))
    let first = try document.inserting(.string("m"), into: ["list"], at: 0)
    #expect(Self.text(first) == Self.sample.replacing("<array>\n", with: "<array>\n    <string>m</string>\n"))
    let only = try document.inserting(.string("m"), into: ["none"])
    #expect(Self.text(only) == Self.sample.replacing("<array />", with: "<array>\n    <string>m</string>\n  </array>"))
    let inline = try document.inserting(.string("m"), into: ["inline"])
    #expect(Self.text(inline) == Self.sample.replacing("<false/>", with: "<false/><string>m</string>"))
    let key = try document.setting(.boolean(true), at: ["new"])
    #expect(
      Self.text(key)
        == Self.sample.replacing("<false/></array>\n", with: "<false/></array>\n  <key>new</key>\n  <true/>\n"))
  }

  @Test("what is removed takes its lines along, and leaves comments")
  func remove() throws {
    let document = try Self.read(Self.sample)
    #expect(
      Self.text(try document.removing(at: ["list", 1])) == Self.sample.replacing("    <string>y</string>\n", with: ""))
    #expect(
      Self.text(try document.removing(at: ["none"]))
        == Self.sample.replacing("  <key>none</key>\n  <array />\n", with: ""))
    let commented = Self.text(try document.removing(at: ["a"]))
    #expect(commented.contains("<!-- behind a -->"))
    #expect(commented.contains("<!-- one -->"))
    #expect(!commented.contains(">a<"))
    let last = try Self.read("<plist>\n<dict>\n\t<key>a</key>\n\t<true/>\n</dict>\n</plist>").removing(at: ["a"])
    #expect(Self.text(last) == "<plist>\n<dict>\n</dict>\n</plist>")
    #expect(
      Self.text(try last.setting(.boolean(false), at: ["b"]))
        == "<plist>\n<dict>\n\t<key>b</key>\n\t<false/>\n</dict>\n</plist>")
  }

  @Test("line ends and indentation are those of the file")
  func style() throws {
    let text = "<plist>\r\n<dict>\r\n    <key>a</key>\r\n    <array/>\r\n</dict>\r\n</plist>\r\n"
    let changed = try Self.read(text).inserting(.dictionary([("b", .string("c\r\nd"))]), into: ["a"])
    let entry = [
      "<array>", "        <dict>", "            <key>b</key>", "            <string>c&#13;\nd</string>",
      "        </dict>",
      "    </array>",
    ]
    #expect(Self.text(changed) == text.replacing("<array/>", with: entry.joined(separator: "\r\n")))
  }

  @Test("what is not there cannot be edited, and no character is written that readers refuse")
  func refused() throws {
    let document = try Self.read(Self.sample)
    for path: [PropertyListStep] in [["x", "y"], ["a", "y"], ["list", 9], ["list", "x"], [0]] {
      let error = #expect(throws: ConfigError.self) { try document.setting(.boolean(true), at: path) }
      #expect(error?.code == .plistPath)
    }
    #expect(throws: ConfigError.self) { try document.removing(at: ["x"]) }
    #expect(throws: ConfigError.self) { try document.inserting(.boolean(true), into: ["list"], at: 3) }
    #expect(throws: ConfigError.self) { try document.inserting(.boolean(true), into: ["a"]) }
    let error = #expect(throws: ConfigError.self) { try document.setting(.string("\u{7}"), at: ["a"]) }
    #expect(error?.code == .plistCharacter)
  }

  @Test("adding to every dictionary and array of real files and taking it away again gives the file back", .fixtures)
  func fixtures() throws {
    for file in try PropertyListFixtures.files() {
      let bytes = [UInt8](try Data(contentsOf: URL(filePath: file)))
      guard bytes.count < 20_000, PropertyListFixtures.isXML(bytes),
        let document = try? PropertyListDocument(bytes, file: file)
      else { continue }
      for path in Self.containers(document.root, []).prefix(12) {
        guard let value = document.value(at: path) else { continue }
        let step = value.values.map { PropertyListStep.index($0.count) } ?? .key("mpaas new")
        let added =
          value.values == nil
          ? try document.setting(.string("x"), at: path + [step]) : try document.inserting(.string("x"), into: path)
        let removed = try added.removing(at: path + [step])
        #expect(removed.root == document.root, "\(file) \(path)")
        let isEmpty = value.values?.isEmpty ?? value.members?.isEmpty ?? true
        if !isEmpty { #expect(removed.bytes == bytes, "\(file) \(path)") }
      }
    }
  }

  private static func containers(_ value: PropertyListValue, _ path: [PropertyListStep]) -> [[PropertyListStep]] {
    if let values = value.values {
      return [path] + values.enumerated().flatMap { containers($1, path + [.index($0)]) }
    }
    guard let members = value.members else { return [] }
    return [path] + members.flatMap { containers($0.value, path + [.key($0.key)]) }
  }
}
