import MPaaSHotpatch
import Testing

@Suite("Types of values in symbol lists") struct ValueTypeTests {
  @Test(
    "are read as they are written",
    arguments: [
      "void", "int", "double?", "[string]", "{[int]}", "record Cart.Line", "object Cart", "[{any}?]?", "date",
    ])
  func roundTrip(text: String) throws {
    #expect(ValueType(text)?.description == text)
  }

  @Test(
    "are nothing else",
    arguments: ["", "Int", "[", "[]", "[void]", "?", "record", "record 1a", "object a..b", "record a@b", "record a`"])
  func malformed(text: String) {
    #expect(ValueType(text) == nil)
  }

  @Test("nest at most 16 deep")
  func depth() {
    #expect(ValueType(String(repeating: "[", count: 40) + "int" + String(repeating: "]", count: 40)) == nil)
  }
}
