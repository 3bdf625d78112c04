import MPaaSSupport

/// A call with its settings, as the request that is sent but for signature, time and deadline.
struct CallPlan: Sendable {
  let call: RPCCall
  let configuration: RPCConfiguration
  let address: RPCAddress
  let trace: RPCTraceContext?
  private(set) var request: RPCTransport.Request

  /// - Throws: `rpc-no-gateway`, `rpc-address-malformed`, `rpc-cleartext`, `rpc-header-malformed`.
  init(_ call: RPCCall, _ configuration: RPCConfiguration, trace: RPCTraceContext?) throws(RPCError) {
    self.call = call
    self.configuration = configuration
    let (method, url) = try Self.target(call, configuration)
    address = try RPCAddress(url)
    guard address.isEncrypted || configuration.allowsCleartext else {
      throw RPCError(.cleartext, ["address": url])
    }
    self.trace = configuration.sendsTrace ? (call.trace ?? trace?.child ?? RPCTraceContext()) : nil
    request = RPCTransport.Request(
      method, url, answerLimit: configuration.answerLimit, pins: configuration.pins)
    (request.sent, request.received) = (call.sent, call.received)
    try addHeaders()
    if call.form == .operation, configuration.wire == .form { return }
    try addContent(call.data, type: call.contentType)
  }

  private static func target(
    _ call: RPCCall, _ configuration: RPCConfiguration
  ) throws(RPCError) -> (method: String, url: String) {
    switch call.form {
    case .http(let method, let url):
      guard RPCHeaderText.isName(method) else { throw RPCError(.headerMalformed, ["header": method]) }
      return (method, url)
    case .operation:
      let own = call.gateway
      let reading = call.effect == .reads ? configuration.etagGateway : nil
      guard let url = own ?? reading ?? configuration.gateway else {
        throw RPCError(.noGateway, ["operation": call.operationType])
      }
      return ("POST", url)
    }
  }

  private mutating func addHeaders() throws(RPCError) {
    var headers = configuration.headers.merging(call.headers) { $1 }
    for (name, value) in headers {
      guard RPCHeaderText.isName(name), RPCHeaderText.isSafe(value) else {
        throw RPCError(.headerMalformed, ["header": name])
      }
    }
    headers["Accept-Encoding"] = headers["Accept-Encoding"] ?? RPCContentCoding.accepted
    if call.form == .operation, configuration.wire == .headers {
      guard RPCHeaderText.isSafe(call.operationType), !call.operationType.isEmpty else {
        throw RPCError(.headerMalformed, ["header": "Operation-Type"])
      }
      headers["Operation-Type"] = call.operationType
    }
    if let key = call.key {
      guard RPCHeaderText.isSafe(key), !key.contains("\""), !key.contains("\\") else {
        throw RPCError(.headerMalformed, ["header": "Idempotency-Key"])
      }
      // A string of RFC 8941, 3.3.3.
      headers["Idempotency-Key"] = "\"\(key)\""
    }
    request.headers = headers
  }

  private mutating func addContent(_ data: [UInt8], type: String?) throws(RPCError) {
    let hasContent = !data.isEmpty || !["GET", "HEAD", "OPTIONS"].contains(request.method)
    guard hasContent else { return }
    if let type, request.headers["Content-Type"] == nil { request.headers["Content-Type"] = type }
    request.body = data
    guard let coding = configuration.compression, data.count >= configuration.compressionThreshold,
      request.headers["Content-Encoding"] == nil, let packed = coding.encode(data), packed.count < data.count
    else { return }
    request.headers["Content-Encoding"] = coding.rawValue
    request.body = packed
  }

  /// True where the call is signed.
  var isSigned: Bool { call.signCheck ?? (configuration.signs && call.form == .operation) }

  /// True where the caller itself asks whether an answer that it has is still good, so that 304 answers the call.
  var isConditional: Bool {
    request.headers.keys.contains { ["if-none-match", "if-modified-since"].contains($0.lowercased()) }
  }

  /// The fields by which equal calls are told from others.
  var sharedHeaders: [String: String] { request.headers }

  /// The request of one attempt: with its time, signature, deadline and span.
  ///
  /// - Throws: `rpc-not-signed`.
  func attempt(
    _ signer: (any RPCSigner)?, now: Double, left: TimeSpan, conditions: [String: String]
  ) throws(RPCError) -> RPCTransport.Request {
    var request = request
    request.timeout = left
    let timestamp = Int64(now * 1000)
    var fields: [String: String] = [:]
    if isSigned {
      guard let signer else { throw RPCError(.notSigned, ["reason": "no signer"]) }
      fields = try signer.fields(
        for: RPCSigningInput(
          operationType: call.operationType, data: call.data, timestamp: timestamp, method: request.method,
          url: request.url, headers: request.headers, isOperation: call.form == .operation))
    }
    if call.form == .operation { fields["Ts"] = String(timestamp) }
    if call.form == .operation, configuration.wire == .form {
      var plan = self
      try plan.addContent(form(fields), type: "application/x-www-form-urlencoded")
      request.body = plan.request.body
      request.headers = plan.request.headers
    } else {
      request.headers.merge(fields) { $1 }
    }
    request.headers.merge(conditions) { $1 }
    if let field = configuration.deadlineField { request.headers[field] = String(max(left.milliseconds, 1)) }
    if let trace {
      request.headers["traceparent"] = trace.child.traceparent
      request.headers["tracestate"] = trace.state
    }
    return request
  }

  /// The call as a form.
  private func form(_ fields: [String: String]) -> [UInt8] {
    var pairs = [
      ("operationType", call.operationType), ("requestData", String(decoding: call.data, as: UTF8.self)),
    ]
    for (name, value) in fields.sorted(by: { $0.key < $1.key }) { pairs.append((Self.formName(name), value)) }
    return Array(
      pairs.map { PercentEncoding.encode($0.0) + "=" + PercentEncoding.encode($0.1) }.joined(separator: "&").utf8)
  }

  /// `Ts` is `ts`, `Sign-Type` is `signType`.
  private static func formName(_ name: String) -> String {
    let words = name.split(separator: "-")
    return words.enumerated().map { $0.offset == 0 ? $0.element.lowercased() : String($0.element) }.joined()
  }
}
