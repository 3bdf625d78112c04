/// Something that happened to the proxies, for whoever watches.
public struct NetworkEvent: Sendable, Hashable {
  /// A kind of event; the raw value is its name in journals and in the API.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    case proxyAdded = "proxy_added"
    case proxyChanged = "proxy_changed"
    case proxyRemoved = "proxy_removed"
    case toxicAdded = "toxic_added"
    case toxicChanged = "toxic_changed"
    case toxicRemoved = "toxic_removed"
    case profileApplied = "profile_applied"
    case timelineStarted = "timeline_started"
    case timelineStep = "timeline_step"
    case timelineEnded = "timeline_ended"
    case connectionOpened = "connection_opened"
    case connectionClosed = "connection_closed"
    case connectionFailed = "connection_failed"
    case request
    case reset
  }

  /// Seconds since 1970.
  public var time: Double
  /// The kind of the event.
  public var kind: Kind
  /// The name of the proxy that the event is about; nil where it is about none.
  public var proxy: String?
  /// The further facts: the toxic's name, the profile's, the client's address, the reason.
  public var details: [String: String]

  /// Makes an event at a time in seconds since 1970.
  public init(time: Double, kind: Kind, proxy: String? = nil, details: [String: String] = [:]) {
    self.time = time
    self.kind = kind
    self.proxy = proxy
    self.details = details
  }
}
