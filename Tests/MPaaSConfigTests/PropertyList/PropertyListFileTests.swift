import Foundation
import MPaaSConfig
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("Property list files") struct PropertyListFileTests {
  static func bytes(_ path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: path))) }

  static func read(_ text: String, file: String = "a.plist", isTagged: Bool = false) throws -> PropertyListFile {
    try PropertyListFile(Array(text.utf8), file: file, isTagged: isTagged)
  }

  static func json(_ bytes: [UInt8]) throws -> JSONValue {
    try bytes.withUnsafeBytes { try JSONValue(reading: $0) }
  }

  /// Tells whether a value is what the fixtures' JSON describes, read by another reader than the one for property
  /// lists.
  static func equal(_ value: PropertyListValue, _ json: JSONValue) -> Bool {
    switch value.content {
    case .dictionary(let members):
      guard let object = json.object, object.count == members.count else { return false }
      return members.allSatisfy { member in object[member.key].map { equal(member.value, $0) } ?? false }
    case .array(let values):
      guard let array = json.array, array.count == values.count else { return false }
      return zip(values, array).allSatisfy { equal($0, $1) }
    case .string(let text): return json.string.map { $0.utf8.elementsEqual(text.utf8) } ?? false
    case .integer(let number): return json.integer(Int64.self).map { PropertyListInteger($0) } == number
    case .boolean(let value): return json.bool == value
    case .real(let number):
      return json.object?["$real"]?.string.flatMap(Double.init) == number
    case .data(let bytes): return json.object?["$data"]?.string.flatMap { Data(base64Encoded: $0) } == Data(bytes)
    case .date(let date): return json.object?["$date"]?.string == "\(date)"
    case .uid(let number): return json.object?["$uid"]?.integer() == number
    }
  }

  @Test("reads the generated files of both formats as their JSON says, and writes that JSON", .fixtures)
  func generated() throws {
    for index in 0..<6 {
      let name = try Fixture.path("text/plist/gen_0\(index)")
      let text = try Self.bytes(name + ".expected.json")
      let json = try Self.json(text)
      for kind in ["xml", "bin"] {
        let file = try PropertyListFile(try Self.bytes("\(name).\(kind).plist"), file: name)
        #expect(Self.equal(file.root, json), "\(name) \(kind)")
        let written = try PropertyListFile.bytes(of: file.root, as: .json, isTagged: true, file: name)
        // plistlib writes 0 and -0 as one object.
        #expect(try kind == "bin" || Self.json(written) == json, "\(name) \(kind)")
      }
      let tagged = try PropertyListFile(text, file: "a.json", isTagged: true)
      #expect(Self.equal(tagged.root, json), "\(name)")
    }
  }

  static func fixtures() throws -> [String] {
    let folder = try Fixture.path("text/plist")
    let own = try FileManager.default.contentsOfDirectory(atPath: folder).map { "\(folder)/\($0)" }
    return try PropertyListFixtures.files() + own.filter { !$0.hasSuffix("expected.json") }.sorted()
  }

  @Test("goes through all formats and comes back the same", .fixtures)
  func roundTrips() throws {
    var count = 0
    for path in try Self.fixtures() {
      guard let file = try? PropertyListFile(try Self.bytes(path), file: path) else { continue }
      var value = file.root
      for format in [PropertyListFormat.binary, .xml, .json, .openstep, .binary] {
        do throws(ConfigError) {
          let bytes = try PropertyListFile.bytes(of: value, as: format, isTagged: true, file: path)
          let again = try PropertyListFile(bytes, file: path, format: format, isTagged: true)
          #expect(again.root == value || value.holdsOtherForms, "\(path) as \(format)")
          value = again.root
          count += 1
        } catch {
          let codes: [ConfigError.Code] = [.plistInexpressible, .plistCharacter, .oldStyleEmpty]
          #expect(codes.contains(error.code), "\(path) as \(format): \(error)")
        }
      }
    }
    #expect(count > 500)
  }

  @Test("what is written in each format is found to be in it")
  func detection() throws {
    let values: [PropertyListValue] = [
      .dictionary([("a", .integer(1)), ("中 文", .array([.string("x")]))]), .array([.data([0xda])]), .data([0xab, 0xcd]),
      .string("a b"), .dictionary([]),
    ]
    for value in values {
      for format in PropertyListFormat.allCases {
        let name = format == .json ? "a.json" : "a.plist"
        let bytes = try PropertyListFile.bytes(of: value, as: format, isTagged: true, file: name)
        #expect(PropertyListFormat(detecting: bytes, file: name) == format, "\(value) \(format)")
        #expect(try PropertyListFile(bytes, file: name, isTagged: true).root == value, "\(value) \(format)")
      }
    }
    for (text, format) in [
      ("\"a\" = \"b\";", PropertyListFormat.openstep), ("/* c */ {}", .openstep), (" {\"a\": 1}", .json),
      ("[1]", .json),
      ("{ \"a\\\"\" = b; }", .openstep), ("( a )", .openstep), ("<0fbd>", .openstep), ("<data/>", .xml), ("<!--", .xml),
    ] {
      #expect(PropertyListFormat(detecting: Array(text.utf8), file: "a") == format, "\(text)")
    }
  }

  @Test("plistlib and plistutil read what is written", .fixtures, .tool("python3"))
  func peers() throws {
    let folder = try TemporaryFolder()
    var files: [String: PropertyListValue] = [:]
    for (index, path) in try Self.fixtures().enumerated() {
      guard let file = try? PropertyListFile(try Self.bytes(path), file: path) else { continue }
      for format in [PropertyListFormat.xml, .binary] {
        guard let bytes = try? PropertyListFile.bytes(of: file.root, as: format, file: path) else { continue }
        let name = "\(folder.path)/\(index).\(format)"
        try Data(bytes).write(to: URL(filePath: name))
        files[name] = try PropertyListFile(bytes, file: path).root
      }
    }
    let peer = try PropertyListFixtures.peer(files.keys.sorted())
    for (name, value) in files { #expect(peer[name] == PropertyListFixtures.dump(value), "\(name)") }
    #expect(files.count > 150)
    guard Command.find("plistutil") != nil else { return }
    let names = files.keys.sorted().filter { $0.hasSuffix("binary") }
    let script = names.map { "plistutil -i \($0) -o \($0).out -f xml || echo bad \($0)" }.joined(separator: "\n")
    #expect(try Command.run("sh", ["-c", script]).output.isEmpty)
    for name in names {
      guard let value = files[name], let bytes = try? Self.bytes(name + ".out") else { continue }
      let again = try? PropertyListFile(bytes, file: name)
      #expect(again.map { $0.root.isNearly(value) } == true, "\(name)")
    }
  }
}

extension PropertyListValue {
  /// Tells whether it holds what another format writes in its own way: references, and parts of a second.
  var holdsOtherForms: Bool {
    switch content {
    case .uid: true
    case .date(let date): date.fraction != 0
    case .dictionary(let members):
      Set(members.map(\.key)).count < members.count || self["CF$UID"] != nil
        || members.contains { $0.value.holdsOtherForms }
    case .array(let values): values.contains { $0.holdsOtherForms }
    default: false
    }
  }

  /// The same but for what plistutil writes in fewer digits and in another order.
  func isNearly(_ other: PropertyListValue) -> Bool {
    switch (content, other.content) {
    case (.dictionary(let members), .dictionary(let others)):
      others.count == members.count
        && members.allSatisfy { member in other[member.key].map { member.value.isNearly($0) } ?? false }
    case (.array(let values), .array(let others)):
      values.count == others.count && zip(values, others).allSatisfy { $0.isNearly($1) }
    case (.real, .real), (.date, .date): true
    case (.dictionary, .uid): true
    default: self == other
    }
  }
}
