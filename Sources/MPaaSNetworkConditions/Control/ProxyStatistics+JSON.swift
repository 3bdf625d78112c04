package import MPaaSSupport

extension ProxyStatistics {
  /// Bytes, connections and delays, as the API writes them.
  package var json: JSONValue {
    [
      "proxy": .string(proxy), "open_connections": JSONValue(openConnections), "connections": JSONValue(connections),
      "failed_connections": JSONValue(failedConnections), "requests": JSONValue(requests),
      "upstream": upstream.json, "downstream": downstream.json,
    ]
  }

  /// Reads what `json` wrote; what is missing is zero.
  package init(_ object: JSONValue.Object) {
    self.init(proxy: object["proxy"]?.string ?? "")
    openConnections = object["open_connections"]?.integer() ?? 0
    connections = object["connections"]?.integer() ?? 0
    failedConnections = object["failed_connections"]?.integer() ?? 0
    requests = object["requests"]?.integer() ?? 0
    upstream = Traffic(object["upstream"]?.object ?? [:])
    downstream = Traffic(object["downstream"]?.object ?? [:])
  }
}

extension ProxyStatistics.Traffic {
  var json: JSONValue {
    var object: JSONValue.Object = [
      "received_bytes": JSONValue(received), "sent_bytes": JSONValue(sent), "datagrams": JSONValue(datagrams),
      "lost_datagrams": JSONValue(lost), "held_bytes": JSONValue(held),
      "delay_buckets": .array(delays.map { JSONValue($0) }),
    ]
    for (name, share) in [("delay_p50_ms", 0.5), ("delay_p95_ms", 0.95), ("delay_p99_ms", 0.99)] {
      object[name] = delay(atShare: share).flatMap { JSONValue($0) } ?? .null
    }
    return .object(object)
  }

  init(_ object: JSONValue.Object) {
    self.init()
    received = object["received_bytes"]?.integer() ?? 0
    sent = object["sent_bytes"]?.integer() ?? 0
    datagrams = object["datagrams"]?.integer() ?? 0
    lost = object["lost_datagrams"]?.integer() ?? 0
    held = object["held_bytes"]?.integer() ?? 0
    let counts = object["delay_buckets"]?.array?.map { $0.integer(Int64.self) ?? 0 } ?? []
    for (index, count) in counts.prefix(delays.count).enumerated() { delays[index] = count }
  }

  /// The milliseconds that a share of the deliveries were held at most, between the borders of a bucket by proportion;
  /// nil where nothing was delivered.
  package func delay(atShare share: Double) -> Double? {
    let total = delays.reduce(0, +)
    guard total > 0 else { return nil }
    let rank = Double(total) * share
    var below = 0.0
    for (index, count) in delays.enumerated() where count > 0 {
      let reached = below + Double(count)
      if reached >= rank {
        let lower = index == 0 ? 0 : Double(UInt64(1) << UInt64(index - 1))
        let upper = Double(UInt64(1) << UInt64(index))
        let value = lower + (upper - lower) * (rank - below) / Double(count)
        return (value * 1000).rounded() / 1000
      }
      below = reached
    }
    return nil
  }
}

extension NetworkEvent {
  /// The event as the stream of events and journals write it.
  package var json: JSONValue {
    var object: JSONValue.Object = ["time": JSONValue(time) ?? 0, "kind": .string(kind.rawValue)]
    if let proxy { object["proxy"] = .string(proxy) }
    if !details.isEmpty { object["details"] = .object(details.mapValues { .string($0) }) }
    return .object(object)
  }

  package init?(_ object: JSONValue.Object) {
    guard let kind = object["kind"]?.string.flatMap(Kind.init(rawValue:)) else { return nil }
    self.init(
      time: object["time"]?.double ?? 0, kind: kind, proxy: object["proxy"]?.string,
      details: object["details"]?.object?.compactMapValues(\.string) ?? [:])
  }
}
