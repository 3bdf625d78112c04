package import MPaaSSupport

extension Condition {
  /// Makes a condition of its type's attributes; what is not given has the value of the table.
  ///
  /// - Throws: `NetworkError` for an attribute that the type does not have, or with a value that it cannot have.
  package init(
    kind: Kind, attributes: JSONValue.Object, unknown: UnknownAttributes = .refused
  ) throws(NetworkError) {
    let values = try AttributeValues(kind, attributes, unknown)
    switch kind {
    case .noop: self = .noop
    case .blackout: self = .blackout
    case .flightMode: self = .flightMode
    case .latency: self = .latency(Latency(values))
    case .bandwidth: self = .bandwidth(Bandwidth(values))
    case .loss: self = .loss(Loss(values))
    case .corruption:
      self = .corruption(Corruption(values.double("probability"), inStreams: values.flag("in_streams")))
    case .duplicate: self = .duplicate(Duplicate(values.double("probability")))
    case .reorder: self = .reorder(Reorder(values.double("probability"), delay: values.time("delay")))
    case .slicer: self = .slicer(try Slicer(values))
    case .limitData: self = .limitData(LimitData(bytes: values.integer("bytes")))
    case .slowClose: self = .slowClose(SlowClose(values.time("delay")))
    case .timeout: self = .timeout(Timeout(values.time("timeout")))
    case .resetPeer: self = .resetPeer(ResetPeer(values.time("timeout")))
    case .httpDelay: self = .httpDelay(HTTPDelay(values.time("delay"), filter: values.filter))
    case .httpError: self = .httpError(HTTPFailure(values))
    case .httpSlowHeaders: self = .httpSlowHeaders(HTTPSlowHeaders(values.time("delay"), filter: values.filter))
    case .httpTruncatedBody:
      self = .httpTruncatedBody(HTTPTruncatedBody(bytes: values.integer("bytes"), filter: values.filter))
    case .dnsDelay: self = .dnsDelay(DNSDelay(values.time("delay"), name: values.text("name")))
    case .dnsFailure: self = .dnsFailure(DNSFailure(values))
    }
  }

  /// All that toxiproxy's type has, and of the extensions what is not as usual.
  ///
  /// A condition without extensions is thus written as toxiproxy writes it.
  package var attributes: JSONValue.Object {
    let table = kind.attributes
    return allAttributes.filter { name, value in
      guard let attribute = table.first(where: { $0.name == name }) else { return false }
      return !attribute.isExtension || kind.isExtension || value != attribute.usual
    }
  }

  /// The condition with what `attributes` names changed, and the rest as it was.
  package func updated(
    with attributes: JSONValue.Object, unknown: UnknownAttributes = .refused
  ) throws(NetworkError) -> Condition {
    var merged = self.attributes
    // One of the two says the rate: the one that was named last.
    if kind == .bandwidth, attributes["rate"].map({ $0 != .null }) == true { merged["rate_bps"] = nil }
    for (name, value) in attributes where value != .null { merged[name] = value }
    return try Condition(kind: kind, attributes: merged, unknown: unknown)
  }

  private var allAttributes: JSONValue.Object {
    switch self {
    case .noop, .blackout, .flightMode: [:]
    case .latency(let value): value.attributes
    case .bandwidth(let value): value.attributes
    case .loss(let value): value.attributes
    case .corruption(let value):
      ["probability": number(value.probability), "in_streams": .bool(value.inStreams)]
    case .duplicate(let value): ["probability": number(value.probability)]
    case .reorder(let value): ["probability": number(value.probability), "delay": milliseconds(value.delay)]
    case .slicer(let value):
      [
        "average_size": JSONValue(value.averageSize), "size_variation": JSONValue(value.sizeVariation),
        "delay": number(value.delay.inMicroseconds),
      ]
    case .limitData(let value): ["bytes": JSONValue(value.bytes)]
    case .slowClose(let value): ["delay": milliseconds(value.delay)]
    case .timeout(let value): ["timeout": milliseconds(value.timeout)]
    case .resetPeer(let value): ["timeout": milliseconds(value.timeout)]
    case .httpDelay(let value): value.filter.attributes(with: ["delay": milliseconds(value.delay)])
    case .httpError(let value): value.attributes
    case .httpSlowHeaders(let value): value.filter.attributes(with: ["delay": milliseconds(value.delay)])
    case .httpTruncatedBody(let value): value.filter.attributes(with: ["bytes": JSONValue(value.bytes)])
    case .dnsDelay(let value): ["delay": milliseconds(value.delay), "name": value.name.map(JSONValue.string)].given
    case .dnsFailure(let value):
      [
        "answer": .string(value.answer.rawValue), "name": value.name.map(JSONValue.string),
        "probability": number(value.probability),
      ].given
    }
  }
}

private func number(_ value: Double) -> JSONValue { JSONValue(value) ?? 0 }

private func milliseconds(_ value: Duration) -> JSONValue { number(value.inMilliseconds) }

extension [String: JSONValue?] {
  /// Those that have a value.
  fileprivate var given: JSONValue.Object { .init(compactMapValues { $0 }) }
}

extension Latency {
  fileprivate init(_ values: AttributeValues) {
    self.init(
      values.time("latency"), jitter: values.time("jitter"),
      distribution: values.word("distribution", or: .uniform), correlation: values.double("correlation"))
  }

  fileprivate var attributes: JSONValue.Object {
    [
      "latency": milliseconds(delay), "jitter": milliseconds(jitter),
      "distribution": .string(distribution.rawValue), "correlation": number(correlation),
    ]
  }
}

extension Bandwidth {
  fileprivate init(_ values: AttributeValues) {
    let rate = values.has("rate_bps") ? values.integer("rate_bps") : Int64((values.double("rate") * 8000).rounded())
    self.init(bitsPerSecond: rate, burst: values.optionalInteger("burst"), isShared: values.flag("shared"))
  }

  /// The rate stands in `rate_bps` too where it is not in whole KB/s.
  fileprivate var attributes: JSONValue.Object {
    [
      "rate": number(Double(rate) / 8000), "rate_bps": rate % 8000 == 0 ? nil : JSONValue(rate),
      "burst": burst.map { JSONValue($0) }, "shared": .bool(isShared),
    ].given
  }
}

extension Loss {
  fileprivate init(_ values: AttributeValues) {
    self.init(
      values.double("probability"), meanBurst: values.double("mean_burst"), stall: values.optionalTime("stall"))
  }

  fileprivate var attributes: JSONValue.Object {
    [
      "probability": number(probability), "mean_burst": number(meanBurst), "stall": stall.map(milliseconds),
    ].given
  }
}

extension Slicer {
  fileprivate init(_ values: AttributeValues) throws(NetworkError) {
    let size = values.integer("average_size")
    let variation = values.integer("size_variation")
    guard variation == 0 || variation < size else {
      throw NetworkError(
        .attributeValue,
        [
          "type": Condition.Kind.slicer.rawValue, "attribute": "size_variation", "value": "\(variation)",
          "expected": "< average_size (\(size))",
        ])
    }
    self.init(averageSize: Int(size), sizeVariation: Int(variation), delay: values.time("delay"))
  }
}

extension RequestFilter {
  fileprivate func attributes(with others: JSONValue.Object) -> JSONValue.Object {
    let own: JSONValue.Object = [
      "method": method.map(JSONValue.string), "path": path.map(JSONValue.string), "first": first.map { JSONValue($0) },
      "probability": number(probability),
    ].given
    return others.merging(own) { $1 }
  }
}

extension HTTPFailure {
  fileprivate init(_ values: AttributeValues) {
    self.init(
      status: Int(values.integer("status")), body: values.text("body") ?? "",
      headers: values["headers"]?.object?.compactMapValues(\.string) ?? [:], filter: values.filter)
  }

  fileprivate var attributes: JSONValue.Object {
    filter.attributes(with: [
      "status": JSONValue(status), "body": .string(body), "headers": .object(headers.mapValues(JSONValue.string)),
    ])
  }
}

extension DNSFailure {
  fileprivate init(_ values: AttributeValues) {
    self.init(
      values.word("answer", or: .nxdomain), name: values.text("name"), probability: values.double("probability"))
  }
}
