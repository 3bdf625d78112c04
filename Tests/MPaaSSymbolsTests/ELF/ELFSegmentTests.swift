import Foundation
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSSymbols

@Suite("The segments of an ELF file", .fixtures, .tool("readelf")) struct ELFSegmentTests {
  @Test("are those that readelf lists", arguments: ["gcc-dwarf5", "gcc-nopie", "swift-O"])
  func readelf(name: String) throws {
    let path = try Fixture.path("crash/elf/matrix/\(name)")
    let image = try ELFImage(Bytes.mapping(path))
    let lines = try Command.run("readelf", ["--segments", "--wide", path]).output.split(separator: "\n")
    let expected = lines.compactMap { line -> [UInt64]? in
      let words = line.split(separator: " ").dropFirst()
      let numbers = words.prefix(5).compactMap { UInt64($0.dropFirst(2), radix: 16) }
      return numbers.count == 5 ? numbers : nil
    }
    #expect(
      image.segments.map { [$0.offset, $0.address, $0.fileSize, $0.memorySize] }
        == expected.map { [$0[0], $0[1], $0[3], $0[4]] })
    #expect(image.loadAddress == (name == "gcc-nopie" ? 0x40_0000 : 0))
  }
}
