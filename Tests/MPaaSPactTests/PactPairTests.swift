import Foundation
import MPaaSPact
import MPaaSRandom
import MPaaSTestSupport
import Testing

@Suite("Pairs of the Pact specification", .fixtures)
struct PactPairTests {
  struct Pair: CustomTestStringConvertible {
    let path: String
    let part: PactPair.Part
    let version: PactSpecification
    var testDescription: String { path }
  }

  static func pairs() throws -> [Pair] {
    let root = try Fixture.path("rpc/pact/spec")
    let files = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
    return files.filter { $0.hasSuffix(".json") }.sorted().compactMap { name in
      let parts = name.split(separator: "/")
      guard parts.count > 2, let version = PactSpecification(word: String(parts[0])),
        let part = PactPair.Part(rawValue: String(parts[1]))
      else { return nil }
      return Pair(path: "\(root)/\(name)", part: part, version: version)
    }
  }

  @Test("come out as the specification says, all of them")
  func verdicts() throws {
    let pairs = try Self.pairs()
    var wrong: [String] = []
    for pair in pairs {
      let bytes = [UInt8](try Data(contentsOf: URL(filePath: pair.path)))
      let result = try PactPair(bytes, file: pair.path, pair.part, pair.version)
      if result.isMatch != result.mismatches.isEmpty {
        wrong.append("\(pair.path): \(result.mismatches.map { "\($0.path) \($0.description)" })")
      }
    }
    #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
    #expect(pairs.count >= 400)
  }

  @Test("never trap, whatever bytes are changed in them or in their bodies")
  func mutations() throws {
    var random = SplitMix64(seed: 803)
    let values = Array("{}[]\",:0-9.eE$*'\\ @<>/=&;%-".utf8)
    for pair in try Self.pairs() {
      let whole = [UInt8](try Data(contentsOf: URL(filePath: pair.path)))
      for _ in 0..<6 {
        var bytes = whole
        for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
          let place = Int.random(in: 0..<bytes.count, using: &random)
          if Bool.random(using: &random) {
            bytes[place] = values.randomElement(using: &random) ?? 0
          } else {
            bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
          }
        }
        _ = try? PactPair(bytes, file: pair.path, pair.part, pair.version)
      }
    }
  }
}
