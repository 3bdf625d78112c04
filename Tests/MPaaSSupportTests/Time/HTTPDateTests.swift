import Testing

@testable import MPaaSSupport

@Suite("Dates of HTTP") struct HTTPDateTests {
  @Test(
    "are read and written",
    arguments: [
      ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777.0), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
      ("Thu, 29 Feb 2024 12:00:00 GMT", 1_709_208_000), ("Tue, 29 Feb 2000 00:00:00 GMT", 951_782_400),
      ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
    ])
  func both(_ text: String, _ seconds: Double) {
    #expect(HTTPDate.seconds(text) == seconds)
    #expect(HTTPDate.text(seconds) == text)
  }

  @Test("beyond the years 1970 to 9999 are written as their ends")
  func ends() {
    #expect(HTTPDate.text(-1) == "Thu, 01 Jan 1970 00:00:00 GMT")
    #expect(HTTPDate.text(.infinity) == "Fri, 31 Dec 9999 23:59:59 GMT")
  }

  @Test(
    "that are none are nil",
    arguments: ["", "soon", "Sun, 06 Nov 1994", "Sun, 99 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT"])
  func none(_ text: String) {
    #expect(HTTPDate.seconds(text) == nil)
  }
}
