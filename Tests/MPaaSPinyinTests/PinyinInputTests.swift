import MPaaSPinyin
import MPaaSSupport
import Testing

@Suite("Conversion of files and streams") struct PinyinInputTests {
  private static let options = PinyinOptions(.digits)

  @Test("a file larger than a piece is converted as if it came at once")
  func pieces() throws {
    let bytes = Array(String(repeating: "我爱中国，重庆。\n", count: 9000).utf8)
    #expect(bytes.count > 3 << 16)
    var whole: [UInt8] = []
    var atOnce = PinyinTextStream(Self.options, isLossy: false)
    try bytes.withUnsafeBytes { try atOnce.feed($0) { whole += $0 } }
    try atOnce.finish { whole += $0 }
    var output: [UInt8] = []
    var stream = PinyinTextStream(Self.options, isLossy: false)
    try stream.convert(Bytes(bytes), named: "file") { output += $0 }
    #expect(output == whole)
  }

  @Test("what one read gives is handed on before the next")
  func reads() throws {
    var parts = ["重庆\n", "我\n"].map { Array($0.utf8) }[...]
    var output: [UInt8] = []
    var before: [Int] = []
    var stream = PinyinTextStream(Self.options, isLossy: false)
    try stream.convert(named: "pipe") { buffer in
      before.append(output.count)
      guard let part = parts.popFirst() else { return 0 }
      buffer.replaceSubrange(..<part.count, with: part)
      return part.count
    } _: {
      output += $0
    }
    #expect(String(decoding: output, as: UTF8.self) == "chong2 qing4\nwo3\n")
    #expect(before.count == 3)
    #expect(before[0] == 0)
    #expect(before[1] > 0)
    #expect(before[2] > before[1])
  }

  @Test("bytes that are no UTF-8 are refused with the input and the offset in it")
  func invalid() throws {
    func place(_ convert: (inout PinyinTextStream) throws -> Void) -> Place? {
      var stream = PinyinTextStream(Self.options, isLossy: false)
      do {
        try convert(&stream)
        return nil
      } catch {
        return (error as? PinyinError)?.diagnostic.place
      }
    }
    let bytes = Array("我\n".utf8) + [0xFF]
    #expect(place { try $0.convert(Bytes(bytes), named: "file") { _ in } } == .bytes(file: "file", offset: 4))
    var reads = [bytes][...]
    let piped = place { stream in
      try stream.convert(named: "pipe") { buffer in
        guard let part = reads.popFirst() else { return 0 }
        buffer.replaceSubrange(..<part.count, with: part)
        return part.count
      } _: { _ in
      }
    }
    #expect(piped == .bytes(file: "pipe", offset: 4))
  }

  @Test("an error of the input comes through as it is")
  func failure() {
    struct Torn: Error {}
    var stream = PinyinTextStream(Self.options, isLossy: false)
    #expect(throws: Torn.self) {
      try stream.convert(named: "pipe") { _ in
        throw Torn()
      } _: { _ in
      }
    }
  }
}
