import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("The check of JSON") struct JSONSkimCheckTests {
  @Test("agrees with the reader on whole and damaged documents")
  func agrees() {
    let seeds = [
      #"{"a":[1,-2.5e+3,true,false,null,"x\u00e9\n\\"],"b":{},"c":[],"d":{"e":[[{}]]}}"#, "[]", "\"text\"", " 12 ",
      #"[{"a":1},{"a":[{}, []]}, "\ud83d\ude00"]"#,
    ]
    var random = SeededRandom(seed: 12)
    for round in 0..<SeededRandom.rounds(or: 20_000) {
      var bytes = Array(seeds[round % seeds.count].utf8)
      for _ in 0..<Int.random(in: 0...3, using: &random) where !bytes.isEmpty {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0x20...0x7e, using: &random)
        case 1: bytes.remove(at: place)
        default: bytes.insert(bytes.randomElement(using: &random) ?? 0x20, at: place)
        }
      }
      let reads = (try? bytes.withUnsafeBytes { try JSONValue(reading: $0) }) != nil
      let checks = bytes.withUnsafeBytes { JSONSkim.isDocument($0) }
      // A number may be too large for a double.
      if reads != checks, checks, bytes.contains(UInt8(ascii: "e")) { continue }
      #expect(reads == checks, "\(String(decoding: bytes, as: UTF8.self))")
    }
  }

  @Test("refuses what is nested deeper than the reader goes")
  func depth() {
    for depth in [255, 256, 257, 100_000] {
      let bytes = Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
      #expect(bytes.withUnsafeBytes { JSONSkim.isDocument($0) } == (depth <= 256))
    }
  }
}
