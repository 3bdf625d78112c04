extension ConditionPhrase {
  /// A toxic in the words that read as it again.
  package static func text(of toxic: Toxic) -> String {
    var text = condition(toxic.condition)
    if toxic.toxicity != 1 { text += " on \(Quantity.text(share: toxic.toxicity))" }
    if toxic.name != Toxic(toxic.condition, direction: toxic.direction).name { text += " as \(word(toxic.name))" }
    if toxic.direction == .upstream { return "up " + text }
    return toxic.condition.kind.isOfLink ? "down " + text : text
  }

  /// Toxics with commas between them; one that stands twice, once for each direction, is said once.
  package static func text(of toxics: [Toxic]) -> String {
    var parts: [String] = []
    var rest = toxics[...]
    while let toxic = rest.popFirst() {
      let twin = Toxic(toxic.condition, direction: .upstream, toxicity: toxic.toxicity)
      let plain = Toxic(toxic.condition, direction: .downstream, toxicity: toxic.toxicity)
      let text = text(of: toxic)
      if toxic.condition.kind.isOfLink, toxic == plain, rest.first == twin {
        rest.removeFirst()
        parts.append(String(text.dropFirst("down ".count)))
      } else {
        parts.append(text)
      }
    }
    return parts.joined(separator: ", ")
  }

  private static func condition(_ condition: Condition) -> String {
    switch condition {
    case .latency(let latency): latencyText(latency)
    case .bandwidth(let bandwidth):
      "bandwidth \(Quantity.text(rate: bandwidth.rate))"
        + (bandwidth.burst.map { " burst \(Quantity.text(size: Int64($0)))" } ?? "")
        + (bandwidth.isShared ? "" : " per connection")
    case .loss(let loss):
      "loss \(Quantity.text(share: loss.probability))"
        + (loss.meanBurst == 1 ? "" : " burst \(Quantity.text(number: loss.meanBurst))")
        + (loss.stall.map { " stall \(Quantity.text($0))" } ?? "")
    case .corruption(let corruption):
      "corruption \(Quantity.text(share: corruption.probability))" + (corruption.inStreams ? " in streams" : "")
    case .duplicate(let duplicate): "duplicate \(Quantity.text(share: duplicate.probability))"
    case .reorder(let reorder):
      "reorder \(Quantity.text(share: reorder.probability)) by \(Quantity.text(reorder.delay))"
    case .slicer(let slicer):
      "slicer \(slicer.averageSize)B"
        + (slicer.sizeVariation == 0 ? "" : " ± \(slicer.sizeVariation)B")
        + (slicer.delay == .zero ? "" : " every \(Quantity.text(slicer.delay))")
    case .limitData(let limit): "limit data \(Quantity.text(size: limit.bytes))"
    case .slowClose(let slow): "slow close \(Quantity.text(slow.delay))"
    case .timeout(let timeout): "timeout" + (timeout.timeout == .zero ? "" : " \(Quantity.text(timeout.timeout))")
    case .resetPeer(let reset): "reset" + (reset.timeout == .zero ? "" : " after \(Quantity.text(reset.timeout))")
    case .noop: "noop"
    case .blackout: "blackout"
    case .flightMode: "flight mode"
    case .httpDelay, .httpError, .httpSlowHeaders, .httpTruncatedBody, .dnsDelay, .dnsFailure: request(condition)
    }
  }

  private static func latencyText(_ latency: Latency) -> String {
    "latency \(Quantity.text(latency.delay))" + (latency.jitter == .zero ? "" : " ± \(Quantity.text(latency.jitter))")
      + (latency.distribution == .uniform ? "" : " \(latency.distribution.rawValue)")
      + (latency.correlation == 0 ? "" : " correlation \(Quantity.text(share: latency.correlation))")
  }

  private static func request(_ condition: Condition) -> String {
    switch condition {
    case .httpDelay(let delay): "http delay \(Quantity.text(delay.delay))" + filter(delay.filter)
    case .httpError(let failure):
      "http error \(failure.status)" + (failure.body.isEmpty ? "" : " body \(quoted(failure.body))")
        + failure.headers.sorted { $0.key < $1.key }.map { " header \(quoted("\($0.key): \($0.value)"))" }.joined()
        + filter(failure.filter)
    case .httpSlowHeaders(let slow): "http slow headers \(Quantity.text(slow.delay))" + filter(slow.filter)
    case .httpTruncatedBody(let body):
      "http truncated body \(Quantity.text(size: body.bytes))" + filter(body.filter)
    case .dnsDelay(let delay):
      "dns delay \(Quantity.text(delay.delay))" + (delay.name.map { " name \(word($0))" } ?? "")
    case .dnsFailure(let failure):
      "dns failure \(failure.answer.rawValue)" + (failure.name.map { " name \(word($0))" } ?? "")
        + (failure.probability == 1 ? "" : " share \(Quantity.text(share: failure.probability))")
    default: ""
    }
  }

  private static func filter(_ filter: RequestFilter) -> String {
    (filter.method.map { " method \(word($0))" } ?? "") + (filter.path.map { " path \(word($0))" } ?? "")
      + (filter.first.map { " first \($0)" } ?? "")
      + (filter.probability == 1 ? "" : " share \(Quantity.text(share: filter.probability))")
  }

  /// A word as it stands where it is plain, else in quotation marks.
  static func word(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
        UInt8(ascii: "/"), UInt8(ascii: "*"):
        true
      default: false
      }
    }
    return isPlain && !text.isEmpty ? text : quoted(text)
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
