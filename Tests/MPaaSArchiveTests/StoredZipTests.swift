import MPaaSArchive
import MPaaSSupport
import Testing

@Suite("Zips of stored entries") struct StoredZipTests {
  private static let entries = [
    StoredZip.Entry(name: "a/中文.txt", contents: [1, 2, 3], isExecutable: true),
    StoredZip.Entry(name: "b", contents: []),
  ]

  @Test("give their entries back, permissions only where the form has them")
  func roundTrip() throws {
    #expect(try StoredZip.entries(in: Bytes(StoredZip.encoded(Self.entries, .files)), .files) == Self.entries)
    let plain = try StoredZip.entries(in: Bytes(StoredZip.encoded(Self.entries)))
    #expect(plain.map(\.name) == Self.entries.map(\.name))
    #expect(plain.map(\.isExecutable) == [false, false])
  }

  @Test("are not read as those of another form")
  func otherForm() {
    let bytes = Bytes(StoredZip.encoded(Self.entries, .files))
    #expect(throws: ZipError.self) { try StoredZip.entries(in: bytes) }
  }

  @Test("hold a few entries only where the form says so")
  func most() throws {
    let many = (0..<17).map { StoredZip.Entry(name: "\($0)", contents: []) }
    #expect(throws: ZipError.self) { try StoredZip.entries(in: Bytes(StoredZip.encoded(many))) }
    #expect(try StoredZip.entries(in: Bytes(StoredZip.encoded(many, .files)), .files) == many)
  }
}
