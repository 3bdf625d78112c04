/// The traffic through a proxy since it was created.
public struct ProxyStatistics: Sendable, Hashable {
  /// The name of the proxy.
  public var proxy: String
  /// Connections (for UDP, client addresses) that are open now, and that ever were.
  public var openConnections = 0
  /// The number of connections that were ever open.
  public var connections: Int64 = 0
  /// Connections that were refused or failed: flight mode, an upstream that is down, no more descriptors.
  public var failedConnections: Int64 = 0
  /// The traffic from clients to servers.
  public var upstream = Traffic()
  /// The traffic from servers to clients.
  public var downstream = Traffic()
  /// Requests of HTTP and DNS proxies.
  public var requests: Int64 = 0

  /// One direction.
  public struct Traffic: Sendable, Hashable {
    /// Bytes that came in, and that went on.
    public var received: Int64 = 0
    /// The number of bytes that went on.
    public var sent: Int64 = 0
    /// Datagrams that came in, and that were lost on purpose.
    public var datagrams: Int64 = 0
    /// The number of datagrams that were lost on purpose.
    public var lost: Int64 = 0
    /// Bytes that are held now.
    public var held = 0
    /// The number of deliveries in each bucket of time held: below 1, 2, 4, … 2^19 ms, then the rest.
    public var delays = [Int64](repeating: 0, count: 21)

    /// Makes figures of no traffic.
    public init() {}
  }

  /// Makes the figures of a proxy that has done nothing yet.
  public init(proxy: String) { self.proxy = proxy }
}
