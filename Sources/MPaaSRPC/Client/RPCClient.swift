/// The sender of calls: DTRpcClient of old.
///
/// ```swift
/// let client = RPCClient(RPCConfiguration(gateway: "https://gw.example.com/mgw.htm"), userAgent: "Shop/1.4")
/// let key = try await client.call(RPCMethod<RSAKey>("alipay.client.getRSAKey", effect: .reads))
/// ```
/// A call passes the layers of `middleware`, then the cache and equal reads under way, then the circuit of its host; it is
/// signed, sent, and sent again where that does no harm and the budget allows it. Ending its task ends the call.
public final class RPCClient: Sendable {
  /// The parts that a client is made of.
  public struct Parts: Sendable {
    /// The way to servers.
    public var transport: RPCTransport
    /// The maker of signatures; nil refuses calls that are to be signed.
    public var signer: (any RPCSigner)?
    /// The layers around each call, the outermost first.
    public var middleware: [any RPCMiddleware] = []
    /// The answers that are kept; nil keeps none.
    public var cache: RPCCache?
    /// The user of now; nil where none is logged in.
    public var session: @Sendable () -> RPCSession? = { nil }
    /// The share of calls that may be sent again; several clients may have one.
    public var budget = RPCRetryBudget()
    /// The time and the chance that the client goes by.
    public var clock = RPCClock.system
    /// Told of each call that ended; quickly, since the caller waits for it.
    public var observers: [@Sendable (RPCSpan) -> Void] = []

    /// Makes parts with a transport.
    public init(transport: RPCTransport) { self.transport = transport }
  }

  let parts: Parts
  let configurations: ConfigurationTable
  let chain: MiddlewareChain
  let latencies = LatencyTable()
  let circuits = CircuitTable()
  let flights = FlightTable()

  /// Creates a client.
  public init(_ configuration: RPCConfiguration, parts: Parts) {
    self.parts = parts
    configurations = ConfigurationTable(configuration)
    chain = MiddlewareChain(layers: parts.middleware)
  }

  /// Creates a client with the transport of this system.
  public convenience init(_ configuration: RPCConfiguration, userAgent: String) {
    self.init(configuration, parts: Parts(transport: .standard(userAgent: userAgent)))
  }

  /// Changes the settings of some calls; those that are under way keep theirs.
  public func configure(
    _ scope: RPCConfiguration.Scope, _ change: @escaping @Sendable (inout RPCConfiguration) -> Void
  ) {
    configurations.configure(scope, change)
  }

  /// The settings that an operation has now.
  public func configuration(of operationType: String) -> RPCConfiguration {
    configurations.configuration(for: RPCCall(operationType))
  }

  /// Calls an operation and reads its result.
  ///
  /// - Throws: `RPCError`, of whatever kind.
  public func call<Result>(
    _ method: RPCMethod<Result>, _ arguments: any Encodable & Sendable...
  ) async throws(RPCError) -> Result {
    try await result(of: method, try method.call(with: arguments))
  }

  /// Sends a call that was made of a method, and reads its result.
  ///
  /// - Throws: `RPCError`, of whatever kind.
  public func result<Result>(of method: RPCMethod<Result>, _ call: RPCCall) async throws(RPCError) -> Result {
    let response = try await send(call)
    // The answer that is still good is the caller's own.
    guard response.status != 304 else {
      throw RPCError(.refused, ["status": "304"], response: response).naming(call.operationType)
    }
    do throws(RPCError) {
      return try response.value(Result.self)
    } catch {
      throw error.naming(call.operationType)
    }
  }

  /// Sends a call and waits for its answer.
  ///
  /// An answer of 304 is one only where the call itself asks whether another is still good (`If-None-Match`).
  ///
  /// - Throws: `RPCError`, of whatever kind; the answer is in its `response` where there was one.
  public func send(_ call: RPCCall) async throws(RPCError) -> RPCResponse {
    let clock = parts.clock
    let start = clock.now()
    let timeout = call.timeout ?? configurations.configuration(for: call).timeout
    let record = CallRecord(begin: clock.uptime(), timeout: timeout)
    let result: Result<RPCResponse, RPCError>
    do throws(RPCError) {
      result = .success(
        try await chain.run(call) { call throws(RPCError) in try await self.exchange(call, record) })
    } catch {
      result = .failure(error.naming(call.operationType))
    }
    if !parts.observers.isEmpty {
      let span = record.span(call.operationType, start: start, end: clock.uptime(), result)
      for observer in parts.observers { observer(span) }
    }
    return try result.get()
  }
}
