import MPaaSProject
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("Sources that know who edited them") struct GeneratedSourcePropertyTests {
  private func source(_ body: String, name: String = "A.swift", origin: String = "a.json") -> GeneratedSource {
    GeneratedSource(name: name, origin: origin, command: "mpaas generate model", body: body)
  }

  private static let begin = "// MARK: - Yours from here: kept when this file is made again\n"
  private static let end = "// MARK: - Yours until here\n"

  private static let kept = [
    "\n", "", "// mine\n", "extension A {\n  var größe: Int { 1 }\n}\n",
    "let text = \"\"\"\n  // Digest: 0\n  \"\"\"\n",
    "\r\n// CRLF\r\n", "// MARK: - Mine\n", "中文",
  ]

  @Test("keep what stands between the marks, whatever it is, over any number of new versions", arguments: kept)
  func keeps(kept: String) {
    let first = source("struct A {}\n")
    let edited = first.text(keeping: kept)
    #expect(first.outcome(over: edited) == .unchanged)
    var text = edited
    for round in 1...3 {
      let next = source("struct A { let v = \(round) }\n")
      #expect(next.outcome(over: text) == .changed(next.text(keeping: kept)))
      text = next.text(keeping: kept)
    }
  }

  @Test("are edited where a character outside the marks is another, and kept where it is inside")
  func anywhere() {
    let first = source("/// 中文\nstruct A {\n  let a = 1\n}\n")
    let next = source("struct B {}\n")
    let text = first.text()
    guard let begin = text.ranges(of: Self.begin).first, let end = text.ranges(of: Self.end).first else {
      Issue.record("no marks")
      return
    }
    for index in text.indices {
      var changed = text
      changed.replaceSubrange(index...index, with: text[index] == "x" ? "y" : "x")
      let outcome = next.outcome(over: changed)
      let isInside = index >= begin.upperBound && index < end.lowerBound
      guard isInside else {
        guard case .edited = outcome else { Issue.record("\(text[..<index].suffix(20))|\(text[index])"); continue }
        continue
      }
      #expect(outcome == .changed(next.text(keeping: "x")))
    }
  }

  @Test("are edited where something stands behind the last mark, or a mark is gone or double")
  func marks() {
    let first = source("struct A {}\n")
    let next = source("struct B {}\n")
    let text = first.text()
    for other in [
      text + " ", text + "\n", text.replacing(Self.end, with: ""), text.replacing(Self.begin, with: ""),
      "// more\n" + text, text.replacing("// Digest: ", with: "// Digest:"), text + text, String(text.dropLast()),
    ] {
      guard case .edited(let replacement) = next.outcome(over: other) else {
        Issue.record("\(other)")
        continue
      }
      #expect(replacement.hasSuffix(Self.end))
    }
  }

  @Test(
    "have a first line that is a comment of one line or more, whatever the files are called",
    arguments: [
      "a.json", "a b.json", "订单.json", String(repeating: "long-name ", count: 40), String(repeating: "x", count: 300),
      "odd\nname.json", "a\r\nb.json", "tab\there.json",
    ])
  func head(origin: String) {
    let made = source("struct A {}\n", origin: origin)
    let head = made.text().split(separator: "\n", omittingEmptySubsequences: false).prefix { !$0.isEmpty }
    #expect(head.allSatisfy { $0.hasPrefix("//") }, "\(head)")
    #expect(head.contains { $0.hasPrefix("// Digest: ") })
    #expect(made.outcome(over: made.text()) == .unchanged)
    #expect(
      source("struct B {}\n", origin: origin).outcome(over: made.text())
        == .changed(source("struct B {}\n", origin: origin).text()))
  }

  @Test("with another name, origin or command are other texts, and are changed, not edited")
  func versions() {
    let first = source("struct A {}\n")
    for next in [
      source("struct A {}\n", name: "B.swift"), source("struct A {}\n", origin: "b.json"),
      GeneratedSource(name: "A.swift", origin: "a.json", command: "mpaas generate api", body: "struct A {}\n"),
    ] {
      #expect(next.outcome(over: first.text()) == .changed(next.text()))
    }
  }
}
