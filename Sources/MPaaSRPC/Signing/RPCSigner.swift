/// The maker of signatures, by which the gateway knows that a call is the app's and as it was sent.
///
/// Each attempt is signed anew, since its time is a part of what is signed.
public protocol RPCSigner: Sendable {
  /// The header fields that bear the signature.
  ///
  /// - Throws: `RPCError` `rpc-not-signed` where there is no key.
  func fields(for input: RPCSigningInput) throws(RPCError) -> [String: String]
}

/// The parts of a call that a signature covers.
public struct RPCSigningInput: Sendable, Hashable {
  /// The name of the operation.
  public var operationType: String
  /// The arguments, or the content of a request of HTTP, before it is compressed.
  public var data: [UInt8]
  /// Milliseconds since 1970, as the field `Ts` has them.
  public var timestamp: Int64
  /// The method of HTTP.
  public var method: String
  /// The full address.
  public var url: String
  /// The header fields of the request, but for those of the signature.
  public var headers: [String: String]
  /// True for an operation of the gateway, false for a request of HTTP.
  public var isOperation: Bool

  /// Makes the parts of a call.
  public init(
    operationType: String, data: [UInt8], timestamp: Int64, method: String, url: String,
    headers: [String: String] = [:], isOperation: Bool = true
  ) {
    self.operationType = operationType
    self.data = data
    self.timestamp = timestamp
    self.method = method
    self.url = url
    self.headers = headers
    self.isOperation = isOperation
  }
}
