/// The description of an operation: its name at the gateway, its needs, and the type of its result.
///
/// ```swift
/// let rsaKey = RPCMethod<RSAKey>("alipay.client.getRSAKey", effect: .reads)
/// let key = try await client.call(rsaKey, "user@example.com")
/// ```
public struct RPCMethod<Result: Decodable & Sendable>: Sendable {
  /// The name of the operation at the gateway: `alipay.client.getRSAKey`.
  public var operationType: String
  /// True where the call is refused on the spot while no user is logged in.
  public var checkLogin: Bool
  /// True where the call is signed; nil leaves it to the configuration.
  public var signCheck: Bool?
  /// The effect of the operation at the server.
  public var effect: RPCEffect

  /// The type that answers are read as.
  public var returnType: Result.Type { Result.self }

  /// Describes an operation.
  ///
  /// - Parameters:
  ///   - operationType: The name of the operation at the gateway.
  ///   - returnType: The type that answers are read as.
  ///   - effect: The effect at the server; an operation that only reads can be kept and repeated.
  ///   - checkLogin: True where only users who are logged in may call it.
  ///   - signCheck: True where it is signed; nil leaves it to the configuration.
  public init(
    _ operationType: String, returning returnType: Result.Type = Result.self, effect: RPCEffect = .changes,
    checkLogin: Bool = false, signCheck: Bool? = nil
  ) {
    self.operationType = operationType
    self.effect = effect
    self.checkLogin = checkLogin
    self.signCheck = signCheck
  }

  /// A call of the operation with arguments, which go to the server as a JSON array.
  ///
  /// - Throws: `RPCError` `rpc-arguments` where an argument cannot be written as JSON.
  public func call(_ arguments: any Encodable & Sendable...) throws(RPCError) -> RPCCall {
    try call(with: arguments)
  }

  /// A call of the operation with a list of arguments.
  ///
  /// - Throws: `RPCError` `rpc-arguments` where an argument cannot be written as JSON.
  public func call(with arguments: [any Encodable & Sendable]) throws(RPCError) -> RPCCall {
    var call = RPCCall(operationType, data: try RPCArguments.data(arguments, of: operationType))
    call.effect = effect
    call.checkLogin = checkLogin
    call.signCheck = signCheck
    return call
  }
}
