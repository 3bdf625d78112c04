/// A proxy as it is asked for: what it listens on, where it leads, and what it does to what passes.
public struct ProxyDefinition: Sendable, Hashable {
  /// The protocol that a proxy understands of what passes.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// TCP streams, untouched by content.
    case tcp
    /// Datagrams; each client address has a path of its own.
    case udp
    /// TLS led on unopened: the server name of the greeting chooses the upstream.
    case tls
    /// HTTP/1.1 and HTTP/2 requests.
    case http
    /// SOCKS5 and HTTP CONNECT (and plain HTTP proxy requests) on one port: clients say where to.
    case forward
    /// Name service.
    case dns
  }

  /// Certificates for the side of the client and of the server, as PEM files; HTTP proxies only.
  public struct TLS: Sendable, Hashable {
    /// The certificate that clients see: certificate chain and key; nil where clients come in the clear.
    public var certificate: String?
    /// The PEM file of the certificate's private key; nil where clients come in the clear.
    public var key: String?
    /// Tells whether the upstream is spoken to by TLS.
    public var toUpstream: Bool
    /// The authorities that the upstream must be signed by; nil for the system's.
    public var authorities: String?

    /// Makes settings of plain connections to both sides, unless told otherwise.
    public init(
      certificate: String? = nil, key: String? = nil, toUpstream: Bool = false, authorities: String? = nil
    ) {
      self.certificate = certificate
      self.key = key
      self.toUpstream = toUpstream
      self.authorities = authorities
    }
  }

  /// The name of the proxy, unique in its collection.
  public var name: String
  /// The kind of the proxy: the protocol that it understands.
  public var kind: Kind
  /// The address where it listens: `host:port`, `[v6]:port`, or `:port`; port 0 takes a free one.
  ///
  /// Once listening, the real address.
  public var listen: String
  /// The destination, as `host:port`; empty for `forward`.
  ///
  /// For `tls` what names without a route go to.
  public var upstream: String
  /// Upstreams by server name (`*.example.com` too), for `tls`.
  public var routes: [String: String]
  /// The certificates of an HTTP proxy; nil where both sides are spoken to in the clear.
  public var tls: TLS?
  /// True where the proxy listens, or is to listen.
  public var isEnabled: Bool
  /// In the order in which bytes meet them.
  public var toxics: [Toxic]
  /// The seed of the proxy's random numbers.
  public var seed: UInt64

  /// Makes the definition of a proxy: for TCP, enabled and without toxics, unless told otherwise.
  public init(
    name: String, kind: Kind = .tcp, listen: String, upstream: String = "", routes: [String: String] = [:],
    tls: TLS? = nil, isEnabled: Bool = true, toxics: [Toxic] = [], seed: UInt64 = 0
  ) {
    self.name = name
    self.kind = kind
    self.listen = listen
    self.upstream = upstream
    self.routes = routes
    self.tls = tls
    self.isEnabled = isEnabled
    self.toxics = toxics
    self.seed = seed
  }
}
