import MPaaSJSON
package import MPaaSMock
import MPaaSSigning

/// A call of an operation, in headers or in a form.
package struct GatewayCall: Sendable {
  package let operation: String
  let request: SigningRequest
  /// The arguments: a JSON array; nil where they are missing or no array.
  let arguments: [JSONNode]?
  /// The arguments as they came.
  let data: [UInt8]

  /// - Returns: Nil for a request that names no operation.
  package init?(_ request: MockRequest) {
    let signing = SigningRequest(
      method: request.method, target: request.target,
      headers: request.headers.map { RequestField($0.name, $0.value) }, body: request.body)
    guard let operation = CallPart.operationType.value(in: signing), !operation.isEmpty else { return nil }
    self.operation = operation
    self.request = signing
    data = CallPart.requestData.value(in: signing).map { Array($0.utf8) } ?? signing.body ?? []
    arguments = JSONNode.reading(data)?.elements
  }

  /// The body that a service behind the gateway gets: `_requestBody` of the first argument, else that argument.
  var body: [UInt8] {
    guard let first = arguments?.first else { return [] }
    guard let inner = first["_requestBody"] else { return Array(first.line.utf8) }
    return Array((inner.string ?? inner.line).utf8)
  }

  // MARK: Rules

  /// The rules that the call breaks, those of the signature first.
  ///
  /// - Parameter time: Seconds since 1970.
  package func violations(_ rules: GatewayCallRules, at time: Double) -> [GatewayViolation] {
    var found: [GatewayViolation] = []
    if let violation = timeViolation(rules, time) { found.append(violation) }
    if !rules.signers.isEmpty, let violation = signatureViolation(rules) { found.append(violation) }
    if data.allSatisfy({ $0 <= 0x20 }) {
      found.append(GatewayViolation(.dataEmpty))
    } else if arguments == nil {
      found.append(GatewayViolation(.dataMalformed))
    }
    return found
  }

  private func timeViolation(_ rules: GatewayCallRules, _ time: Double) -> GatewayViolation? {
    guard let window = rules.window else { return nil }
    guard let text = CallPart.timestamp.value(in: request), !text.isEmpty else { return GatewayViolation(.noTime) }
    guard let value = Int64(text) else {
      return GatewayViolation(.timeOutOfWindow, "ts is no number of milliseconds: \(text.prefix(40))")
    }
    let distance = Double(value) - time * 1000
    guard abs(distance) > window else { return nil }
    let seconds = Int((min(abs(distance), 1e15) / 1000).rounded())
    let side = distance < 0 ? "behind" : "ahead of"
    return GatewayViolation(
      .timeOutOfWindow, "ts is \(seconds) s \(side) the gateway; \(Int(window / 1000)) s are allowed")
  }

  private func signatureViolation(_ rules: GatewayCallRules) -> GatewayViolation? {
    let header = request.headers.first { $0.name.lowercased() == CallPart.signatureHeader.lowercased() }?.value
    let parameter = (request.form + request.query).first { $0.name == CallPart.signatureParameter }?.value
    guard let signature = header ?? parameter, !signature.isEmpty else { return GatewayViolation(.noSignature) }
    let app = CallPart.appID.value(in: request) ?? ""
    let signers = (rules.signers[app] ?? []) + (app == "*" ? [] : rules.signers["*"] ?? [])
    guard !signers.isEmpty else { return GatewayViolation(.noKey, "no key is known for the app \(app)") }
    let algorithm = request.headers.first { $0.name.lowercased() == CallPart.algorithmHeader.lowercased() }?.value
    for signer in signers where algorithm == nil || signer.algorithm.rawValue == algorithm {
      do throws(SigningError) {
        if try signer.verifies(signature, of: request) { return nil }
      } catch {
        return GatewayViolation(.signatureArguments, error.identifier)
      }
    }
    return GatewayViolation(.signatureWrong)
  }
}
