import MPaaSTestSupport
import Testing

@Suite("Bytes that are mapped or read") struct BytesTests {
  @Test("have a name while their memory is looked at: a value without one may be gone before")
  func named() {
    for source in PackageSource.all {
      for line in source.lines(with: [").buffer"]) {
        let isTemporary = line.contains(#/(Bytes\.(reading|mapping)|\.data\(at:)[^{]*\)\.buffer/#)
        #expect(!isTemporary, "\(source.file): \(line)")
      }
    }
  }
}
