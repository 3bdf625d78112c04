import MPaaSNetwork
import MPaaSSupport
import MPaaSTestSupport
import NIOCore
import Testing

@Suite("Toxics from outside") struct ConditionFuzzTests {
  static func value(_ random: inout SeededRandom) -> JSONValue {
    let numbers: [JSONValue] = [
      0, 1, -1, 100, .number(0.5), .number(1e-300), .number(1e300), .unsigned(.max), .negative(.min), .number(1e10),
      .number(3e10), .number(9e15), .number(1e14), .number(0.999_999_999_999_999_9), 1_000_000,
    ]
    switch Int.random(in: 0..<10, using: &random) {
    case 0: return .null
    case 1: return .bool(Bool.random(using: &random))
    case 2: return .string(["", "pareto", "GET", "\u{0}"].randomElement(using: &random) ?? "")
    case 3: return .array([value(&random)])
    case 4: return .object(["a": value(&random)])
    default: return numbers.randomElement(using: &random) ?? 0
    }
  }

  @Test("are taken or refused, whatever their attributes are, and those that are taken never break a link")
  func attributes() throws {
    var random = SeededRandom(seed: 77)
    var taken = 0
    for _ in 0..<SeededRandom.rounds(or: 3000) {
      guard let kind = Condition.Kind.allCases.randomElement(using: &random) else { return }
      var attributes: JSONValue.Object = [:]
      for attribute in kind.attributes where Bool.random(using: &random) {
        attributes[attribute.name] = Self.value(&random)
      }
      let object: JSONValue.Object = [
        "type": .string(kind.rawValue), "attributes": .object(attributes),
        "toxicity": Bool.random(using: &random) ? Self.value(&random) : 1,
        "stream": Bool.random(using: &random) ? "upstream" : .null,
      ]
      guard let toxic = try? Toxic(object, unknown: .ignored) else { continue }
      taken += 1
      #expect(try Toxic(try #require(toxic.json.object)) == toxic)
      run([toxic.condition, .latency(Latency(.milliseconds(1)))], &random)
    }
    #expect(taken > 300)
  }

  private func run(_ conditions: [Condition], _ random: inout SeededRandom) {
    var link = LinkSimulation(conditions)
    link.receive([UInt8](repeating: 1, count: 3000))
    for seconds in [2, -1, Int.max, Int.min] { link.delayAll(by: .seconds(seconds)) }
    link.receive("a")
    for _ in 0..<20 { link.step() }
    link.change([.loss(Loss(0.5))])
    link.change(conditions)
    link.end()
    var packets = PacketShaper(LinkPlan(conditions: conditions, seed: 1), at: .uptimeNanoseconds(5))
    packets.receive(ByteBuffer(string: "abc"), at: .uptimeNanoseconds(5))
    _ = packets.advance(to: .uptimeNanoseconds(6)) { _ in }
    packets.delayAll(by: .seconds(Int.max), at: .uptimeNanoseconds(7))
    packets.delayAll(by: .seconds(Int.min), at: .uptimeNanoseconds(7))
    packets.receive(ByteBuffer(), at: .uptimeNanoseconds(7))
    packets.change(to: .transparent, at: .uptimeNanoseconds(8))
    _ = packets.advance(to: .distantFuture) { _ in }
    #expect(packets.isTransparent)
  }
}
