import Testing

@testable import MPaaSSupport

@Suite("Dashed UUIDs") struct DashedUUIDTests {
  @Test("have dashes after 8, 12, 16 and 20 digits; a text of another length stays as it is")
  func dashes() {
    #expect("0123456789abcdef0123456789ABCDEF".dashedUUID == "01234567-89ab-cdef-0123-456789ABCDEF")
    #expect("0123456789abcdef0123456789abcde".dashedUUID == "0123456789abcdef0123456789abcde")
    #expect("".dashedUUID == "")
  }
}
