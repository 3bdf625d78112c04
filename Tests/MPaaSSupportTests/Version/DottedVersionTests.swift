import MPaaSSupport
import Testing

@Suite("Versions of dotted numbers") struct DottedVersionTests {
  @Test("compare number by number, and missing numbers count as 0")
  func order() throws {
    let versions = try ["1", "1.0.1", "1.2", "1.10", "2", "10.0.0.1"].map { try #require(DottedVersion($0)) }
    #expect(versions == versions.sorted())
    #expect(DottedVersion("1.2") == DottedVersion("1.2.0.0"))
    #expect(DottedVersion("1.2.0")?.text == "1.2.0")
  }

  @Test("are nothing else", arguments: ["", "1.", ".1", "1.2.3.4.5", "-1", "+1", "1.x", "4294967296", "１", "1 "])
  func malformed(text: String) {
    #expect(DottedVersion(text) == nil)
  }

  @Test(
    "fall into ranges",
    arguments: [
      (">=8.0,<9", "8.9.9", true), (">=8.0,<9", "9", false), ("*", "0", true),
      ("8.1", "8.1.0", true), ("==8.1", "8.1.1", false), (">1,<=2", "2.0", true),
    ])
  func ranges(range: String, version: String, isIn: Bool) throws {
    let range = try #require(DottedVersionRange(range))
    #expect(range.contains(try #require(DottedVersion(version))) == isIn)
  }

  @Test("a range that cannot be read is none", arguments: ["", ">=", "8,", "~>8", ">=8 <9x"])
  func malformedRanges(text: String) {
    #expect(DottedVersionRange(text) == nil)
  }
}
