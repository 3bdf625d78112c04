import MPaaSJSON
import MPaaSSupport

extension RPCSpan {
  /// The span as a line of a file.
  package var line: String {
    var members: [(String, JSONNode)] = [
      ("operation", JSONNode(.string(operation))), ("host", JSONNode(.string(host))),
      ("start", JSONNumber((start * 1000).rounded() / 1000).map { JSONNode(.number($0)) } ?? JSONNode(.null)),
      ("nanoseconds", JSONNode(.number(JSONNumber(duration.nanoseconds)))),
    ]
    func add(_ name: String, _ number: Int?) {
      if let number { members.append((name, JSONNode(.number(JSONNumber(number))))) }
    }
    func add(_ name: String, _ text: String?) {
      if let text { members.append((name, JSONNode(.string(text)))) }
    }
    add("status", status)
    add("result", resultCode)
    add("error", error)
    add("attempts", attempts)
    if isHedged { members.append(("hedged", JSONNode(.bool(true)))) }
    add("source", source.rawValue)
    add("sent", sentBytes)
    add("received", receivedBytes)
    add("trace", trace?.traceparent)
    return JSONNode.object(members).line
  }

  /// Reads the line of a file; nil for what is none.
  package init?(line: some Collection<UInt8>) {
    guard let root = try? JSONSource(parsing: Array(line), file: "").root,
      let operation = root["operation"]?.string, let host = root["host"]?.string,
      let start = root["start"]?.number?.double, let length = root["nanoseconds"]?.number?.integer(Int64.self),
      length >= 0
    else { return nil }
    func count(_ name: String) -> Int { max(root[name]?.number?.integer(Int.self) ?? 0, 0) }
    self.init(
      operation: operation, host: host, start: start, duration: .nanoseconds(length),
      status: root["status"]?.number?.integer(Int.self), resultCode: root["result"]?.number?.integer(Int.self),
      error: root["error"]?.string, attempts: min(count("attempts"), 1 << 20), isHedged: root["hedged"]?.bool ?? false,
      source: root["source"]?.string.flatMap(RPCResponse.Source.init) ?? .network,
      sentBytes: min(count("sent"), 1 << 40), receivedBytes: min(count("received"), 1 << 40),
      trace: root["trace"]?.string.flatMap { RPCTraceContext(traceparent: $0) })
  }
}
