import MPaaSTestSupport
import Testing

@Suite("Small mechanisms") struct MechanismTests {
  /// What gives each away, and the file that has it for all.
  static let homes: [(mechanism: String, sign: String, home: String)] = [
    ("hexadecimal digits", "\"0123456789abcdef\"", "MPaaSSupport/JSON/JSONWriter.swift"),
    ("percent encoding", "\"0123456789ABCDEF\"", "MPaaSSupport/Text/PercentEncoding.swift"),
    ("CRC-32", "edb8_8320", "MPaaSSupport/Bytes/Checksum.swift"),
    ("CRC-32C", "82f6_3b78", "MPaaSSupport/Bytes/CRC32C.swift"),
  ]

  @Test("are there once", arguments: homes)
  func once(_ mechanism: String, _ sign: String, _ home: String) {
    #expect(PackageSource.all.filter { $0.has([sign]) }.map(\.file) == [home], "\(mechanism)")
  }
}
