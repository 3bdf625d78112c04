import Testing

@testable import MPaaSTransfer

@Suite("Names in forms") struct FormNameTests {
  @Test(
    "cannot end their header, whatever they hold",
    arguments: [
      ("a.log", "a.log"), ("a\"b", "a%22b"), ("a\r\nX: y", "a%0D%0AX: y"), ("\n\r", "%0A%0D"), ("日志%", "日志%"),
      ("e\u{301}\r\n\"", "e\u{301}%0D%0A%22"),
    ])
  func quoting(_ name: String, _ quoted: String) {
    #expect(TransferErrand.quoted(name) == quoted)
  }
}
