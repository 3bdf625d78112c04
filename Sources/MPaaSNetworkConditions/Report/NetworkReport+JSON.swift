package import MPaaSSupport

extension NetworkReport {
  /// The report as JSON: times in seconds since its begin, delays in milliseconds, rates in bits a second.
  package var json: JSONValue.Object {
    func real(_ value: Double) -> JSONValue { JSONValue((value * 1000).rounded() / 1000) ?? .null }
    func delays(_ delays: Delays?) -> JSONValue {
      guard let delays else { return .null }
      return ["p50": real(delays.p50), "p95": real(delays.p95), "most": real(delays.most)]
    }
    func traffic(_ traffic: Traffic) -> JSONValue {
      [
        "received": JSONValue(traffic.received), "sent": JSONValue(traffic.sent),
        "datagrams": JSONValue(traffic.datagrams), "lost": JSONValue(traffic.lost),
        "delay_ms": delays(traffic.delays),
      ]
    }
    return [
      "begin": JSONValue(begin) ?? .null, "end": JSONValue(end) ?? .null, "duration": real(duration),
      "unreadable_lines": JSONValue(unreadable),
      "applied": .array(
        applied.map { span in
          [
            "kind": .string(span.kind.rawValue), "from": real(span.start), "to": real(span.end),
            "label": .string(span.label), "proxies": .array(span.proxies.map { .string($0) }),
          ]
        }),
      "proxies": .array(
        proxies.map { proxy in
          [
            "proxy": .string(proxy.name), "kind": .string(proxy.kind), "listen": .string(proxy.listen),
            "upstream_address": .string(proxy.upstream), "connections": JSONValue(proxy.connections),
            "failed": JSONValue(proxy.failed), "requests": JSONValue(proxy.requests),
            "upstream": traffic(proxy.up), "downstream": traffic(proxy.down),
          ]
        }),
      "points": .array(
        points.map { point in
          [
            "at": real(point.time), "duration": real(point.duration), "upstream_bps": real(point.up),
            "downstream_bps": real(point.down), "open": JSONValue(point.open), "delay_ms": delays(point.delays),
          ]
        }),
      "failures": .object(failures.mapValues { JSONValue($0) }),
      "events": .array(
        events.map { event in
          [
            "at": real(event.time - begin), "event": .string(event.kind.rawValue),
            "proxy": event.proxy.map { .string($0) } ?? .null,
            "details": .object(event.details.mapValues { .string($0) }),
          ]
        }),
    ]
  }
}
