/// The settings of calls: of all of them, of those to a gateway, or of one operation.
///
/// ```swift
/// client.configure(.all) { $0.gateway = "https://gw.example.com/mgw.htm" }
/// client.configure(.operation("alipay.client.*")) { $0.timeout = .seconds(5) }
/// ```
public struct RPCConfiguration: Sendable {
  /// The calls that a change of the settings is for.
  public enum Scope: Sendable, Hashable {
    /// All calls.
    case all
    /// Calls to a gateway, by the beginning of its address.
    case gateway(String)
    /// Calls of an operation; `*` stands for any characters.
    case operation(String)
  }

  /// The form in which a call of an operation goes out.
  public enum Wire: String, Sendable, Hashable, CaseIterable {
    /// The name, time and signature in header fields, the arguments as the content.
    case headers
    /// All of it as a form: `operationType`, `requestData`, `ts`, `sign`.
    case form
  }

  /// The gateway's address; nil for none.
  public var gateway: String?
  /// The address that calls which only read go to where it differs (`appRPCETagURL`); nil for the gateway.
  public var etagGateway: String?
  /// The time for all attempts of a call together.
  public var timeout = TimeSpan.seconds(30)
  /// Header fields of each call.
  public var headers: [String: String] = [:]
  /// The form of calls of operations.
  public var wire = Wire.headers
  /// True where calls are signed unless their method says otherwise.
  public var signs = true
  /// The compression of what is sent (`requestGZip`); nil for none.
  public var compression: RPCContentCoding?
  /// The least bytes of a content that is compressed.
  public var compressionThreshold = 1024
  /// The most bytes of an answer, as it comes and decompressed.
  public var answerLimit = 16 << 20
  /// True where addresses without encryption may be called.
  public var allowsCleartext = false
  /// SHA-256 of public keys in Base64, one of which the server must have; empty: any.
  public var pins: [String] = []
  /// True where answers of calls that read are kept, as far as their header fields allow it.
  public var caches = true
  /// True where equal reads that are on their way at the same time are one.
  public var sharesReads = true
  /// The attempts of a call.
  public var retry = RPCRetryPolicy()
  /// The second request beside a slow one; nil for none.
  public var hedge: RPCHedgePolicy?
  /// The rule by which a gateway that fails is left alone; nil for none.
  public var breaker: RPCBreakerPolicy? = RPCBreakerPolicy()
  /// The header field with the milliseconds that are left when a call is sent; nil for none.
  public var deadlineField: String? = "X-Request-Timeout-Ms"
  /// True where the call's place in its trace is sent (`traceparent`).
  public var sendsTrace = true

  /// Creates settings.
  public init(gateway: String? = nil) { self.gateway = gateway }
}
