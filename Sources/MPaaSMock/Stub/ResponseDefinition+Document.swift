package import MPaaSJSON
import MPaaSSupport

extension ResponseDefinition {
  private static let known: Set<String> = [
    "status", "statusMessage", "headers", "body", "base64Body", "jsonBody", "bodyFileName", "fault",
    "fixedDelayMilliseconds", "delayDistribution", "chunkedDribbleDelay", "proxyBaseUrl", "proxyUrlPrefixToRemove",
    "additionalProxyRequestHeaders", "removeProxyRequestHeaders", "transformers", "transformerParameters",
    "fromConfiguredStub",
  ]
  /// The longest delay: an hour.
  static let longestDelay = 3_600_000

  package init(_ reader: StubReader) throws(StubProblem) {
    others = try reader.others(than: Self.known)
    status = try reader["status"]?.whole(100...999) ?? 200
    reason = try reader.text("statusMessage")
    headers = try Self.headers(reader["headers"])
    body = try Self.body(reader)
    if let word = reader["fault"] {
      guard let known = MockFault(rawValue: try word.string()) else {
        let words = MockFault.allCases.map(\.rawValue).joined(separator: ", ")
        throw word.problem("is none of \(words)")
      }
      fault = known
    }
    fixedDelay = try reader["fixedDelayMilliseconds"]?.whole(0...Self.longestDelay)
    delay = try reader["delayDistribution"].map { given throws(StubProblem) in try DelayDistribution(given) }
    if let given = reader["chunkedDribbleDelay"] {
      guard let chunks = given["numberOfChunks"], let total = given["totalDuration"] else {
        throw given.problem("needs numberOfChunks and totalDuration")
      }
      dribble = ChunkedDribble(
        chunks: try chunks.whole(1...100_000), milliseconds: try total.whole(0...Self.longestDelay))
    }
    proxying = try Self.proxying(reader)
    transformers = try reader["transformers"]?.strings() ?? []
    transformerParameters = reader["transformerParameters"]?.node
  }

  private static func headers(_ reader: StubReader?) throws(StubProblem) -> [Header] {
    guard let reader else { return [] }
    return try reader.object().map { member throws(StubProblem) in
      let value = StubReader(member.value, pointer: StubReader.pointer(reader.pointer, member.name))
      guard isName(member.name) else { throw value.problem("is no name of a header") }
      let values =
        member.value.elements == nil
        ? [try value.scalarText()]
        : try value.array().map { element throws(StubProblem) in try element.scalarText() }
      guard !values.contains(where: { $0.utf8.contains { $0 < 0x20 && $0 != 9 } }) else {
        throw value.problem("has a line end or another control character in it")
      }
      return Header(member.name, values)
    }
  }

  private static func isName(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: ":") }
  }

  private static func body(_ reader: StubReader) throws(StubProblem) -> Body {
    let words = ["body", "base64Body", "jsonBody", "bodyFileName"].filter { reader[$0] != nil }
    guard words.count < 2 else { throw reader.problem("has several of \(words.joined(separator: ", "))") }
    guard let word = words.first, let value = reader[word] else { return .none }
    switch word {
    case "body": return .text(try value.string())
    case "base64Body":
      guard let bytes = Base64.decode(loose: Array(try value.string().utf8)) else {
        throw value.problem("is no Base64")
      }
      return .bytes(bytes)
    case "jsonBody": return .json(value.node)
    default: return .file(try value.string())
    }
  }

  private static func proxying(_ reader: StubReader) throws(StubProblem) -> Proxying? {
    guard let base = reader["proxyBaseUrl"] else { return nil }
    var proxying = Proxying(baseURL: try base.string())
    guard proxying.baseURL.hasPrefix("http://") || proxying.baseURL.hasPrefix("https://") || reader.isTemplate else {
      throw base.problem("is no URL of http or https")
    }
    proxying.removedPrefix = try reader.text("proxyUrlPrefixToRemove")
    proxying.addedHeaders = try headers(reader["additionalProxyRequestHeaders"])
    proxying.removedHeaders = try reader["removeProxyRequestHeaders"]?.strings() ?? []
    return proxying
  }

  /// The answer as a stub writes it.
  package var document: JSONNode {
    let (bodyName, bodyValue): (String, JSONNode?) =
      switch body {
      case .none: ("body", nil)
      case .text(let text): ("body", .text(text))
      case .bytes(let bytes): ("base64Body", .text(Base64.encode(bytes)))
      case .json(let node): ("jsonBody", node)
      case .file(let name): ("bodyFileName", .text(name))
      }
    let known: [(String, JSONNode?)] = [
      ("status", .whole(status)), ("statusMessage", reason.map { .text($0) }), ("headers", Self.document(headers)),
      (bodyName, bodyValue), ("fault", fault.map { .text($0.rawValue) }),
      ("fixedDelayMilliseconds", fixedDelay.map { .whole($0) }), ("delayDistribution", delay?.document),
      (
        "chunkedDribbleDelay",
        dribble.map {
          .members([("numberOfChunks", .whole($0.chunks)), ("totalDuration", .whole($0.milliseconds))])
        }
      ), ("proxyBaseUrl", proxying.map { .text($0.baseURL) }),
      ("proxyUrlPrefixToRemove", proxying?.removedPrefix.map { .text($0) }),
      ("additionalProxyRequestHeaders", proxying.flatMap { Self.document($0.addedHeaders) }),
      (
        "removeProxyRequestHeaders",
        proxying.flatMap { $0.removedHeaders.isEmpty ? nil : .list($0.removedHeaders.map { .text($0) }) }
      ), ("transformers", transformers.isEmpty ? nil : .list(transformers.map { .text($0) })),
      ("transformerParameters", transformerParameters),
    ]
    return .members(known + others.map { ($0.name, $0.value) })
  }

  private static func document(_ headers: [Header]) -> JSONNode? {
    guard !headers.isEmpty else { return nil }
    return .members(
      headers.map { ($0.name, $0.values.count == 1 ? .text($0.values[0]) : .list($0.values.map { .text($0) })) })
  }
}

extension StubReader {
  fileprivate var isTemplate: Bool {
    node["transformers"]?.elements?.contains { $0.string == "response-template" } ?? false
  }
}
