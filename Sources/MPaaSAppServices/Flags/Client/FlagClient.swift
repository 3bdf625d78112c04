public import MPaaSFlags
import MPaaSSupport
import MPaaSTime
import MPaaSVerification

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The flags of an app, kept up to date from a server of Unleash's client API.
///
/// The state that was kept of the user answers as soon as the client is made, else the one that came with the app. From
/// `start()` on the server is asked. What it sends is kept for the next start; what is refused, or does not come, leaves
/// the last good state.
///
/// ```swift
/// var configuration = FlagConfiguration(
///   url: "https://flags.example.com/unleash/api", appName: "shop", folder: caches + "/flags", token: token)
/// configuration.facts = DeviceFacts(platform: "ios", version: "8.1")
/// let client = FlagClient(configuration)
/// users.observe(.flags, by: client)
/// await client.start()
/// if client.isEnabled("new-search") { … }
/// for await case .changed(let names) in client.events { … }
/// ```
public actor FlagClient {
  /// The flags without the client's context and counts, for the hottest paths: no lock is taken.
  public nonisolated var flags: Flags { view.flags }
  /// Numbers of the app's own, sent along with the counts of flags.
  public nonisolated let impact: ImpactMetrics
  /// The ID that stands for the device where no user is signed in; the same at each start.
  public nonisolated let sessionID: String

  nonisolated let configuration: FlagConfiguration
  nonisolated let transport: FlagTransport
  nonisolated let view: FlagView
  nonisolated let counter = FlagCounter()
  nonisolated let listeners = FlagListeners()
  nonisolated let report: FlagReport
  nonisolated let cache: FlagCache
  nonisolated let repository: FlagRepository?

  /// The ticket of work for the user whose flags are at hand.
  var ticket: UserTicket
  /// The state that came last, from the disk or the server; nil where there is none.
  var holding: FlagHolding?
  /// The state that counts, but for the kill switches of `holding`.
  var active: FlagState
  /// The state that is evaluated.
  var shown: FlagState
  var memory: SignedFlagMemory
  /// The number of states that came from the server.
  var arrivals = 0
  /// The origins of the user's state that were told.
  var told: Set<FlagSource> = []

  var progress = FlagProgress()
  var buckets = FlagBuckets()
  /// The time from which answers are counted that no bucket has yet.
  var countedSince: Double
  var isRegistered = false
  var isSending = false
  /// The time that the server asked not to be told of counts.
  var reportWait = TimeSpan.zero
  var worker: Task<Void, Never>?
  var reporter: Task<Void, Never>?

  /// Creates a client, and reads what is kept of the user at the start; nothing is fetched yet.
  public init(_ configuration: FlagConfiguration) {
    let ticket = UserTicket(userID: configuration.userID?.isEmpty == true ? nil : configuration.userID)
    var problems: [AppServiceError] = []
    let sessionID = FlagSessionID.reading(configuration.folder) { problems.append($0) }
    let environment = configuration.effectiveEnvironment
    let person = FlagContext(
      userId: ticket.userID, sessionId: sessionID, environment: environment, appName: configuration.appName)
    let view = FlagView(person, configuration.facts)
    self.configuration = configuration
    self.sessionID = sessionID
    self.view = view
    self.ticket = ticket
    transport = configuration.transport ?? .http(userAgent: configuration.appName)
    cache = FlagCache(folder: configuration.folder)
    cache.removeLeftovers()
    report = FlagReport(
      appName: configuration.appName, instanceID: configuration.instanceID ?? sessionID,
      connectionID: UUID().uuidString.lowercased(), environment: environment)
    impact = ImpactMetrics(labels: ["appName": configuration.appName, "environment": environment]) { view.label($0) }
    repository = FlagRepository(configuration)
    memory = SignedFlagMemory(reading: configuration.folder + "/signed.json")
    countedSince = configuration.clock.now()
    let start = FlagStart(configuration, cache, ticket.userID)
    (holding, active, shown) = (start.holding, start.state, start.state)
    if let version = start.signed, version.version > memory.version { memory = version }
    if let source = start.source { told = [source] }
    view.replace(with: start.state, from: start.source, for: ticket.userID)
    for problem in problems + start.problems { listeners.tell(.failed(problem)) }
  }

  deinit {
    worker?.cancel()
    reporter?.cancel()
  }

  // MARK: - Answers

  /// Tells whether a flag is on for the user and the device, and counts the answer.
  public nonisolated func isEnabled(_ name: String) -> Bool {
    let isOn = view.isEnabled(name)
    counter.count(name, isOn: isOn)
    return isOn
  }

  /// The variant of a flag that the user and the device get; the answer is counted.
  public nonisolated func variant(_ name: String) -> FlagVariant {
    let variant = view.variant(name)
    counter.count(name, isOn: variant.isFlagEnabled, variant: variant.name)
    return variant
  }

  /// Tells whether there is a flag of a name.
  public nonisolated func contains(_ name: String) -> Bool { view.pair().snapshot.contains(name) }

  /// The person and device that flags are evaluated for.
  public nonisolated var context: FlagContext { view.context }

  /// The origin of the state at hand; nil before there is one.
  public nonisolated var source: FlagSource? { view.source }

  /// Puts the facts of the device in the place of those before, where the network or the city is another one.
  public nonisolated func setFacts(_ facts: DeviceFacts) { view.setFacts(facts) }

  /// Sets a property of the context; nil removes it.
  public nonisolated func setProperty(_ name: String, to value: String?) { view.setProperty(name, to: value) }

  /// The news from now on, after the origin of the state at hand.
  public nonisolated var events: AsyncStream<FlagClientEvent> {
    listeners.sequence(view.source.map { .ready($0) })
  }
}
