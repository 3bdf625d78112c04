import MPaaSSupport

/// The parts of a call in the file of a queue, as JSON; its data stand beside them.
struct QueuedContent {
  let bytes: [UInt8]

  init(_ call: RPCCall) {
    var members: [String: JSONValue] = [
      "operation": .string(call.operationType), "effect": .string(call.effect.rawValue),
      "login": .bool(call.checkLogin), "limit": .bool(call.showsLimit),
      "headers": .object(call.headers.mapValues { .string($0) }),
    ]
    if case .http(let method, let url) = call.form {
      members["method"] = .string(method)
      members["url"] = .string(url)
    }
    members["sign"] = call.signCheck.map { .bool($0) }
    members["gateway"] = call.gateway.map { .string($0) }
    members["type"] = call.contentType.map { .string($0) }
    members["timeout"] = call.timeout.map { JSONValue($0.nanoseconds) }
    var bytes: [UInt8] = []
    JSONValue.object(members).append(to: &bytes)
    self.bytes = bytes
  }

  static func call(_ content: [UInt8], data: [UInt8], key: String) -> RPCCall {
    let value = content.withUnsafeBytes { try? JSONValue(reading: $0) }
    let members = value?.object ?? [:]
    var call = RPCCall(members["operation"]?.string ?? "", data: data)
    if let method = members["method"]?.string, let url = members["url"]?.string {
      call.form = .http(method: method, url: url)
    }
    call.effect = members["effect"]?.string.flatMap(RPCEffect.init) ?? .changes
    call.checkLogin = members["login"]?.bool ?? false
    call.showsLimit = members["limit"]?.bool ?? true
    call.signCheck = members["sign"]?.bool
    call.gateway = members["gateway"]?.string
    call.contentType = members["type"]?.string
    call.timeout = members["timeout"]?.integer(Int64.self).map { .nanoseconds($0) }
    for (name, value) in members["headers"]?.object ?? [:] { call.headers[name] = value.string }
    call.key = key
    // It is the call that counts, not an answer that was kept.
    call.usesCache = false
    return call
  }
}
