import MPaaSNetwork
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("Conditions") struct ConditionTests {
  @Test("a toxic without a name is called by its type and stream")
  func names() throws {
    #expect(Toxic(.latency(Latency(.milliseconds(5)))).name == "latency_downstream")
    #expect(Toxic(.slowClose(SlowClose(.seconds(1))), direction: .upstream).name == "slow_close_upstream")
    #expect(try Toxic(["type": "slicer", "name": "", "stream": "Upstream"]).name == "slicer_upstream")
  }

  @Test("a toxic that uses no extension is written as toxiproxy writes it")
  func written() throws {
    let toxic = try Toxic(["type": "latency", "attributes": ["latency": 100, "jitter": 10]])
    #expect(
      toxic.json.line
        == #"{"attributes":{"jitter":10,"latency":100},"name":"latency_downstream","stream":"downstream","#
        + #""toxicity":1,"type":"latency"}"#)
    let attributes: [(Condition.Kind, String)] = [
      (.noop, "{}"), (.bandwidth, #"{"rate":0}"#), (.slowClose, #"{"delay":0}"#), (.timeout, #"{"timeout":0}"#),
      (.resetPeer, #"{"timeout":0}"#), (.slicer, #"{"average_size":0,"delay":0,"size_variation":0}"#),
      (.limitData, #"{"bytes":0}"#), (.latency, #"{"jitter":0,"latency":0}"#),
    ]
    for (kind, text) in attributes {
      #expect(JSONValue.object(try Condition(kind: kind, attributes: [:]).attributes).line == text)
    }
  }

  @Test("an update keeps what it does not name")
  func updates() throws {
    let toxic = try Toxic(["type": "latency", "toxicity": .number(0.5), "attributes": ["latency": 100, "jitter": 10]])
    let later = try toxic.updated(with: ["attributes": ["latency": 1000], "name": "other", "type": "timeout"])
    #expect(later.condition == .latency(Latency(.milliseconds(1000), jitter: .milliseconds(10))))
    #expect(later.toxicity == 0.5)
    #expect(later.name == "latency_downstream")
    #expect(try later.updated(with: ["toxicity": 0]).toxicity == 0)
    let rate = try Condition(kind: .bandwidth, attributes: ["rate_bps": 10_001])
    #expect(try rate.updated(with: ["rate": 2]) == .bandwidth(Bandwidth(bitsPerSecond: 16_000)))
    #expect(try rate.updated(with: ["shared": true]) == .bandwidth(Bandwidth(bitsPerSecond: 10_001, isShared: true)))
  }

  @Test("every kind comes back from its attributes as it was")
  func roundTrip() throws {
    var random = SeededRandom(seed: 8)
    for _ in 0..<SeededRandom.rounds(or: 200) {
      for kind in Condition.Kind.allCases {
        let condition = try Condition(kind: kind, attributes: Self.attributes(of: kind, &random))
        #expect(condition.kind == kind)
        #expect(try Condition(kind: kind, attributes: condition.attributes) == condition)
        let toxic = Toxic(condition, direction: .upstream, toxicity: 0.25)
        #expect(try Toxic(try #require(toxic.json.object)) == toxic)
      }
    }
  }

  /// Some of the attributes of a kind with values in their ranges.
  static func attributes(of kind: Condition.Kind, _ random: inout SeededRandom) -> JSONValue.Object {
    var values: JSONValue.Object = [:]
    for attribute in kind.attributes where Bool.random(using: &random) {
      switch attribute.unit {
      case .flag: values[attribute.name] = .bool(Bool.random(using: &random))
      case .text: values[attribute.name] = .string("/\(random.next() % 100)*")
      case .texts: values[attribute.name] = ["a": "b"]
      case .word(let words): values[attribute.name] = words.randomElement(using: &random).map { .string($0) }
      default:
        let top = min(attribute.range.upperBound, 100_000)
        let value = Double.random(in: attribute.range.lowerBound...top, using: &random)
        values[attribute.name] = JSONValue(attribute.isWhole ? value.rounded() : (value * 100).rounded() / 100)
      }
    }
    if kind == .slicer { values["average_size"] = 200_000 }
    return values
  }

  @Test("attributes that cannot be are refused by name, and unknown ones ignored where that is asked for")
  func refusals() throws {
    func error(_ kind: Condition.Kind, _ attributes: JSONValue.Object) -> String? {
      do throws(NetworkError) {
        _ = try Condition(kind: kind, attributes: attributes)
        return nil
      } catch { return "\(error.code.word) \(error.values["attribute"] ?? "")" }
    }
    #expect(error(.latency, ["latency": -1]) == "net-attribute-value latency")
    #expect(error(.latency, ["latency": "1"]) == "net-attribute-value latency")
    #expect(error(.latency, ["delay": 1]) == "net-attribute-unknown delay")
    #expect(error(.latency, ["distribution": "even"]) == "net-attribute-value distribution")
    #expect(error(.limitData, ["bytes": .number(0.5)]) == "net-attribute-value bytes")
    #expect(error(.loss, ["probability": .number(1.5)]) == "net-attribute-value probability")
    #expect(error(.slicer, ["average_size": 10, "size_variation": 10]) == "net-attribute-value size_variation")
    #expect(error(.httpError, ["headers": ["a": 1]]) == "net-attribute-value headers")
    #expect(error(.latency, ["latency": .null]) == nil)
    #expect(try Condition(kind: .noop, attributes: ["x": 1], unknown: .ignored) == .noop)
  }

  @Test("fields of a toxic that cannot be are refused")
  func fields() {
    func word(_ object: JSONValue.Object) -> String? {
      do throws(NetworkError) {
        _ = try Toxic(object)
        return nil
      } catch { return error.code.word }
    }
    #expect(word([:]) == "net-toxic-type")
    #expect(word(["type": "latencey"]) == "net-toxic-type")
    #expect(word(["type": "latency", "stream": "walrustream"]) == "net-toxic-stream")
    #expect(word(["type": "latency", "toxicity": 2]) == "net-toxic-field")
    #expect(word(["type": "latency", "attributes": []]) == "net-toxic-field")
    #expect(word(["type": 5]) == "net-toxic-field")
    #expect(word(["type": "latency", "attributes": .null]) == nil)
  }
}
