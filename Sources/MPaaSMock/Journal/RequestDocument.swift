package import MPaaSJSON
import MPaaSSupport

extension MockRequest {
  /// The request as WireMock's journal writes it.
  package func document(id: String?, at time: Double) -> JSONNode {
    var headers: [(String, JSONNode?)] = []
    for header in self.headers where !headers.contains(where: { Self.isSame($0.0, header.name) }) {
      let values = headerValues(header.name)
      headers.append((header.name, values.count == 1 ? .text(values[0]) : .list(values.map { .text($0) })))
    }
    let facts = RequestFacts(self, now: time)
    return .members([
      ("id", id.map { .text($0) }), ("url", .text(target)), ("absoluteUrl", .text(absoluteURL)),
      ("method", .text(method)), ("scheme", .text(scheme)), ("host", .text(host)), ("port", .whole(port)),
      ("clientIp", .text(client)), ("headers", .members(headers)),
      ("cookies", .members(facts.cookies.map { ($0.name, .text($0.value)) })), ("browserProxyRequest", .flag(false)),
      ("loggedDate", .whole(Int(time * 1000))), ("bodyAsBase64", .text(Base64.encode(body))),
      ("body", .text(String(decoding: body, as: UTF8.self))), ("loggedDateString", .text(Self.text(time))),
      ("protocol", .text(version)), ("queryParams", Self.grouped(facts.query)),
      ("formParams", Self.grouped(facts.form)),
    ])
  }

  private static func text(_ time: Double) -> String { MockTime(seconds: time.rounded(.down)).text }

  private static func grouped(_ pairs: [(name: String, value: String)]) -> JSONNode {
    var names: [String] = []
    for pair in pairs where !names.contains(pair.name) { names.append(pair.name) }
    return .members(
      names.map { name in
        let values = pairs.filter { $0.name == name }.map { JSONNode.text($0.value) }
        return (name, .members([("key", .text(name)), ("values", .list(values))]))
      })
  }

  /// Reads a request as the journal writes it.
  package init(_ reader: StubReader) throws(StubProblem) {
    self.init(try reader.text("method") ?? "GET", try reader.text("url") ?? "/")
    for member in try reader["headers"]?.object() ?? [] {
      for value in member.value.elements ?? [member.value] { headers.append((member.name, value.plainText)) }
    }
    if let text = try reader.text("bodyAsBase64"), let bytes = Base64.decode(loose: Array(text.utf8)) {
      body = bytes
    }
    if let text = try reader.text("body"), body.isEmpty { body = Array(text.utf8) }
    scheme = try reader.text("scheme") ?? scheme
    host = try reader.text("host") ?? host
    port = try reader["port"]?.whole(0...65535) ?? port
    client = try reader.text("clientIp") ?? client
  }
}
