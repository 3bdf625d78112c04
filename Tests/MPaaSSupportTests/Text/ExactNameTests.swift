import MPaaSSupport
import Testing

@Suite("Exact names")
struct ExactNameTests {
  @Test("Names that are equal only after normalisation are two names")
  func compositions() {
    let one = ExactName("caf\u{e9}"), other = ExactName("cafe\u{301}")
    #expect(one.text == other.text)
    #expect(one != other)
    #expect(Set([one, other, ExactName("caf\u{e9}")]).count == 2)
    #expect([one: 1, other: 2][other] == 2)
  }

  @Test("Names are ordered by their bytes")
  func order() {
    let names: [ExactName] = ["b", "\u{e9}", "e\u{301}", "a", ""]
    #expect(names.sorted().map(\.text.utf8.count) == [0, 1, 1, 3, 2])
  }
}
