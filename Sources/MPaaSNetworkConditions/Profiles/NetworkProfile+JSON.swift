package import MPaaSSupport

extension NetworkProfile {
  /// The profile as JSON: its numbers per direction where a person asks for them, and its toxics in full.
  package func json(profiles: ProfileCatalogue = .builtIn) -> JSONValue.Object {
    var object: JSONValue.Object = [
      "name": .string(name), "title": .string(title), "source": .string(source),
      "downstream": .object(Self.numbers(downstream)), "upstream": .object(Self.numbers(upstream)),
      "conditions": .string(conditionText),
    ]
    object["timeline"] = timeline.map { .object($0.json(profiles: profiles)) } ?? .null
    return object
  }

  /// The conditions in the words of a timeline.
  package var conditionText: String {
    var rest = upstream
    var text: [Toxic] = []
    for condition in downstream {
      text.append(Toxic(condition))
      if condition.kind.isOfLink, let twin = rest.firstIndex(of: condition) {
        rest.remove(at: twin)
        text.append(Toxic(condition, direction: .upstream))
      }
    }
    return ConditionPhrase.text(of: text + rest.map { Toxic($0, direction: .upstream) })
  }

  private static func numbers(_ conditions: [Condition]) -> JSONValue.Object {
    var object: JSONValue.Object = [:]
    for condition in conditions {
      switch condition {
      case .latency(let latency):
        object["delay_ms"] = JSONValue(latency.delay.inMilliseconds)
        object["jitter_ms"] = JSONValue(latency.jitter.inMilliseconds)
      case .bandwidth(let bandwidth): object["rate_bps"] = JSONValue(bandwidth.rate)
      case .loss(let loss): object["loss"] = JSONValue(loss.probability)
      case .dnsDelay(let delay): object["dns_delay_ms"] = JSONValue(delay.delay.inMilliseconds)
      default: break
      }
    }
    return object
  }
}
