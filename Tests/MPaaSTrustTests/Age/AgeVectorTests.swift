import Foundation
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSAge
@testable import MPaaSTrust
@testable import MPaaSVerification

/// One file of the community vectors: fields, an empty line, and the age file.
struct AgeVector: CustomStringConvertible {
  let name: String
  var description: String { name }
  var fields: [String: [String]] = [:]
  var file = Data()

  init(_ name: String) throws {
    self.name = name
    var rest = try Fixture.data("age/testdata/\(name)")
    while let feed = rest.firstIndex(of: 0x0a) {
      let line = String(decoding: rest[..<feed], as: UTF8.self)
      rest = Data(rest[rest.index(after: feed)...])
      guard let colon = line.firstRange(of: ": ") else { break }
      fields[String(line[..<colon.lowerBound]), default: []].append(String(line[colon.upperBound...]))
    }
    file = rest
    guard fields["compressed"] == ["zlib"] else { return }
    let script = "import sys,zlib; sys.stdout.write(zlib.decompress(bytes.fromhex(sys.argv[1])).hex())"
    let hex = try Command.run("python3", ["-c", script, rest.hexadecimal]).output
    file = try #require(Data(hexadecimal: hex))
  }

  /// The kinds of recipients that the format names; the post-quantum ones are a later addition.
  static let names: [String] = {
    guard let root = Fixture.root else { return [] }
    let folder = root.appending(path: "age/testdata").path
    let all = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return all.filter { !$0.contains("hybrid") }.sorted()
  }()

  var identities: [AgeIdentity] {
    get throws {
      try (fields["identity"] ?? []).map { try AgeIdentity($0) }
        + (fields["passphrase"] ?? []).map { AgeIdentity.passphrase($0) }
    }
  }

  /// The outcome for the file, in our words.
  var expected: Set<String> {
    switch fields["expect"]?.first {
    case "success": ["success"]
    case "no match": ["age-no-identity"]
    case "HMAC failure": ["age-payload-broken header"]
    case "header failure": ["age-header-malformed", "age-scrypt-not-allowed"]
    case "armor failure": ["age-armor-malformed"]
    case "payload failure": ["age-payload-broken payload"]
    default: []
    }
  }
}

@Suite("age files") struct AgeVectorTests {
  @Test("every vector ends as it says", .fixtures, arguments: AgeVector.names)
  func vectors(name: String) throws {
    let vector = try AgeVector(name)
    var found = "success"
    do {
      let identities = try vector.identities
      let plaintext = try vector.file.withUnsafeBytes { file in
        if vector.fields["armored"] != nil, !AgeArmorReader.looksArmored(file) { _ = try AgeArmorReader(file) }
        return try Age.decrypt(file, with: identities, limit: 1 << 25)
      }
      let digest = Sum.sha256(plaintext)
      #expect(digest == vector.fields["payload"]?.first)
    } catch let error as TrustError {
      found = ([error.identifier] + (error.values["part"].map { [$0] } ?? [])).joined(separator: " ")
    }
    #expect(vector.expected.contains(found), "\(found)")
  }
}
