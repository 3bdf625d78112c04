import MPaaSJSON
import MPaaSPact
import MPaaSPattern
import MPaaSRandom
import MPaaSSupport
import Testing

@Suite("Generators of contracts")
struct PactGeneratorTests {
  /// 2026-11-28T12:00:00Z, a Saturday.
  static let noon = 1_795_867_200_000

  private func generation(_ side: PactGeneration.Side = .consumer, seed: UInt64 = 1) -> PactGeneration {
    PactGeneration(
      side, values: [JSONNode.Member(name: "id", value: JSONNode(.number(JSONNumber(7))))],
      mockURL: "http://127.0.0.1:8080", now: Self.noon, random: SplitMix64(seed: seed))
  }

  private func text(_ generator: PactGenerator, _ side: PactGeneration.Side = .consumer) throws -> String? {
    var generation = self.generation(side)
    return try generation.value(generator, example: nil).map { $0.string ?? $0.line }
  }

  @Test(
    "move dates by expressions",
    arguments: [
      ("tomorrow", "2026-11-29"), ("yesterday", "2026-11-27"), ("today", "2026-11-28"), ("+ 1 day", "2026-11-29"),
      ("+3 months", "2027-02-28"), ("- 1 year + 1 week", "2025-12-05"), ("next monday", "2026-11-30"),
      ("last sat", "2026-11-21"), ("next feb", "2027-02-28"), ("next fortnight", "2026-12-12"),
    ])
  func dates(_ expression: String, _ date: String) throws {
    #expect(try text(.date(.init(expression: expression))) == date)
  }

  @Test(
    "move times and moments by expressions",
    arguments: [
      ("tomorrow @ midnight", "2026-11-29T00:00:00"), ("@ + 13 hours", "2026-11-29T01:00:00"),
      ("today @ 3 o'clock pm + 5 minutes", "2026-11-28T15:05:00"), ("+1 day @ noon - 1 second", "2026-11-29T11:59:59"),
    ])
  func moments(_ expression: String, _ moment: String) throws {
    #expect(try text(.dateTime(.init(expression: expression))) == moment)
  }

  @Test(
    "refuse expressions that mean nothing", arguments: ["someday", "+ day", "+ 1", "next", "+ 1 hour", "today today"])
  func faults(_ expression: String) {
    #expect { try text(.date(.init(expression: expression))) } throws: { ($0 as? PactError)?.code == .expression }
  }

  @Test("repeat themselves with a seed")
  func seeds() throws {
    var first = generation(seed: 5), second = generation(seed: 5), other = generation(seed: 6)
    let generator = PactGenerator.randomString(size: 30)
    let text = try first.value(generator, example: nil)
    #expect(try second.value(generator, example: nil) == text)
    #expect(try other.value(generator, example: nil) != text)
  }

  @Test("are for the side that they have a meaning on")
  func sides() throws {
    let state = PactGenerator.providerState(expression: "/items/${id}?x=${id}", dataType: nil)
    #expect(try text(state, .consumer) == nil)
    #expect(try text(state, .provider) == "/items/7?x=7")
    let url = PactGenerator.mockServerURL(regex: ".*(\\/items\\/\\d+)$", example: "http://localhost:1/v1/items/7")
    #expect(try text(url, .consumer) == "http://127.0.0.1:8080/items/7")
    #expect(try text(url, .provider) == nil)
  }

  @Test(
    "make texts that their pattern matches",
    arguments: [
      "\\d{1,8}", "[a-z]+@[a-z]+\\.(com|cn)", "(?i)ab?c*", "\\w{3}-\\d+", "^a$", "[^a]", "\\p{Han}{2}", "(a|b|){3}",
    ])
  func samples(_ regex: String) throws {
    let sample = try PatternSample(regex)
    let pattern = try Pattern("^(?:\(regex))$")
    var random = SplitMix64(seed: 3)
    for _ in 0..<50 {
      let text = sample.text(using: &random)
      #expect(pattern.matches(text), "\(text)")
    }
  }

  @Test("come to an end, however often a pattern repeats")
  func longSamples() throws {
    var random = SplitMix64(seed: 3)
    let sample = try PatternSample("(((((((a*b)*c)*d)*e)*f)*g)*h){100}")
    #expect(sample.text(using: &random).unicodeScalars.count <= PatternSample.longest)
  }
}
