import Testing

@testable import MPaaSProject

@Suite("A position in a list of a project") struct EditPositionTests {
  static let names = [["A.swift"], ["b.swift", "ID2"], ["C.swift"], ["b.swift"]]

  @Test(
    "is told by words, and tells them again",
    arguments: [
      ("first", .first), ("last", .last), ("sorted", .sorted), ("0", .index(0)), ("12", .index(12)),
      ("before:a b", .before("a b")), ("after:x:y", .after("x:y")), ("before:first", .before("first")),
    ] as [(String, EditPosition)])
  func words(text: String, position: EditPosition) {
    #expect(EditPosition(text) == position)
    #expect(position.text == text)
  }

  @Test(
    "is told by no other words",
    arguments: ["", "middle", "First", "-1", "1.5", "before:", "after:", "before", "99999999999999999999", " first"])
  func noWords(text: String) {
    #expect(EditPosition(text) == nil)
  }

  @Test(
    "is found among what is there",
    arguments: [
      (.first, 0), (.last, 4), (.index(2), 2), (.index(9), 4), (.before("C.swift"), 2), (.after("C.swift"), 3),
      (.before("ID2"), 1), (.before("b.swift"), 1), (.after("b.swift"), 4), (.sorted, 1),
    ] as [(EditPosition, Int)])
  func places(position: EditPosition, index: Int) {
    #expect(position.index(of: "a.swift.bak", among: Self.names) == index)
  }

  @Test("is none beside what is not there", arguments: [EditPosition.before("x"), .after("x"), .before("")])
  func missing(position: EditPosition) {
    #expect(position.index(of: "a", among: Self.names) == nil)
  }

  @Test("is the first of an empty list", arguments: [EditPosition.first, .last, .sorted, .index(3)])
  func empty(position: EditPosition) {
    #expect(position.index(of: "a", among: []) == 0)
  }

  @Test("by name does not ask for upper and lower case", arguments: [("A0", 1), ("a", 0), ("D", 4)])
  func sorted(name: String, index: Int) {
    #expect(EditPosition.sorted.index(of: name, among: Self.names) == index)
  }
}
