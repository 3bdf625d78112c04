import MPaaSFlags
import MPaaSLock

/// The values that an operator sets for an app: `MPConfigService`.
///
/// Each is the payload of a flag's variant, or whether the flag is on.
///
/// ```swift
/// let configuration = ConfigurationService(client) { name in
///   NotificationCenter.default.post(name: Notification.Name(name), object: nil)
/// }
/// await configuration.start()
/// let banner = configuration.stringValue(forKey: "home-banner")
/// ```
public final class ConfigurationService: Sendable {
  /// The name of the notification that values came from the server.
  public static let didFetchNotification = "MPConfigServiceDidFetchedFromServerNotification"

  /// The flags that the values are of.
  public let client: FlagClient
  private let notify: @Sendable (_ name: String) -> Void
  private let listening = Lock<Task<Void, Never>?>(nil)

  /// Creates a service; `start()` begins to fetch.
  ///
  /// - Parameters:
  ///   - client: The client whose switches they are.
  ///   - notify: Posts a notification, with `didFetchNotification` each time that values came from the server.
  public init(_ client: FlagClient, notify: @escaping @Sendable (_ name: String) -> Void = { _ in }) {
    self.client = client
    self.notify = notify
  }

  deinit { listening.withLock { $0 }?.cancel() }

  /// Begins to follow the server, as an app does when it starts; a second call changes nothing.
  public func start() async {
    let events = client.events
    listening.withLock { listening in
      guard listening == nil else { return }
      listening = Task { [notify] in
        for await event in events where event == .fetched { notify(Self.didFetchNotification) }
      }
    }
    await client.start()
  }

  /// The news each time that values came from the server.
  public var fetches: AsyncFilterSequence<AsyncStream<FlagClientEvent>> { client.events.filter { $0 == .fetched } }

  // MARK: - Values

  /// The value of a key; nil where there is no such flag: `stringValueForKey:`.
  ///
  /// It is the payload of the variant that the user gets, else `true` or `false` for a flag that is on or off.
  public func stringValue(forKey key: String) -> String? {
    guard client.contains(key) else { return nil }
    let variant = client.variant(key)
    if let payload = variant.payload { return payload.value }
    return variant.isFlagEnabled ? "true" : "false"
  }

  /// Tells whether the flag of a key is on.
  public func boolValue(forKey key: String) -> Bool { client.isEnabled(key) }

  /// The whole number that a key's value is; nil where it is none.
  public func integerValue(forKey key: String) -> Int? { stringValue(forKey: key).flatMap { Int($0) } }

  /// The number that a key's value is; nil where it is none.
  public func doubleValue(forKey key: String) -> Double? { stringValue(forKey: key).flatMap { Double($0) } }
}
