import MPaaSAppServices
import MPaaSTestSupport
import Testing

@Suite("Versions of apps") struct AppVersionTests {
  @Test(
    "are compared by runs of digits and letters, as Sparkle 2 compares them",
    arguments: [
      ("1.0", "1.1"), ("1.1", "2.0"), ("0.0.1", "0.1"), ("0.1", "0.1.2"), ("1.5.5", "1.5.6a1"), ("1.1.0b1", "1.1.0b2"),
      ("1.1.1b2", "1.1.2b1"), ("1.0a1", "1.0b1"), ("1.0b1", "1.0"), ("0.9", "1.0a1"), ("1.0b", "1.0b2"),
      ("1.0b9", "1.0b10"), ("1.0rc", "1.0"), ("1.0pre1", "1.0"), ("1.0 (1234)", "1.0 (1235)"),
      ("1.0b1 (1234)", "1.0 (1234)"), ("1.0b5 (1234)", "1.0.1b5 (1234)"), ("2.0.0.2429", "2.0.0.2430"),
      ("3.3 (5847)", "3.3.1b1 (5902)"), ("201210251627", "201211051041"), ("1.5.5-335d3e2", "1.5.6-b252311"),
      ("1.9", "1.10"), ("9", "99999999999999999999999999"),
    ])
  func ascending(_ older: String, _ newer: String) throws {
    let (older, newer) = (try #require(AppVersion(older)), try #require(AppVersion(newer)))
    #expect(older < newer)
    #expect(!(newer < older))
    #expect(older != newer)
  }

  @Test(
    "are equal where only zeros or the name of a build differ",
    arguments: [
      ("1.0", "1.0.0"), ("1.5.5-335d3e2", "1.5.5-a655360"), ("1.5-3", "1.5.0-3"), ("1.0pre1", "1.0.0pre1"),
      ("3.3 (5847)", "3.3.0 (5847)"), ("1.1.1.1818", "1.1.1.1818.0"), ("v2.0", "2.0"), ("1.010", "1.10"), ("0", "0.0"),
    ])
  func equal(_ left: String, _ right: String) throws {
    let (left, right) = (try #require(AppVersion(left)), try #require(AppVersion(right)))
    #expect(left == right)
    #expect(left.hashValue == right.hashValue)
    #expect(!(left < right) && !(right < left))
  }

  @Test(
    "need a digit, and have at most 128 bytes",
    arguments: ["", "beta", "-1", "...", String(repeating: "1", count: 129)])
  func none(_ text: String) { #expect(AppVersion(text) == nil) }

  @Test("of any characters have one order")
  func order() {
    var random = SeededRandom(seed: 5)
    let characters = Array("0012.ab (-é٣")
    let versions = (0..<SeededRandom.rounds(or: 120)).compactMap { _ in
      AppVersion(
        String((0..<Int.random(in: 1...7, using: &random)).map { _ in characters.randomElement(using: &random) ?? "0" })
      )
    }
    let sorted = versions.sorted()
    for (index, version) in sorted.enumerated() {
      for later in sorted[index...] { #expect(!(later < version), "\(version) \(later)") }
    }
  }
}
