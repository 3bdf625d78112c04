import MPaaSAppServices
import MPaaSFlags
import MPaaSLock
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTime

/// A client with a folder, a clock and a server of its own.
struct FlagSamples {
  let folder: TemporaryFolder
  let clock = ManualClock()
  let server: FlagServerDouble

  init(_ server: FlagServerDouble = FlagServerDouble()) throws {
    folder = try TemporaryFolder()
    self.server = server
  }

  /// Flags by their names, on or off, in the form of the client API.
  static func state(_ flags: [String: Bool], type: String = "release") -> String {
    let list = flags.sorted { $0.key < $1.key }.map { flag($0.key, $0.value, type: type) }
    return #"{"version":2,"features":[\#(list.joined(separator: ","))],"segments":[]}"#
  }

  static func flag(_ name: String, _ isOn: Bool, type: String = "release") -> String {
    #"{"name":"\#(name)","type":"\#(type)","enabled":\#(isOn),"strategies":[{"name":"default"}]}"#
  }

  static func hydration(_ flags: [String: Bool]) -> String {
    let list = flags.sorted { $0.key < $1.key }.map { flag($0.key, $0.value) }
    return #"{"events":[{"eventId":1,"type":"hydration","features":[\#(list.joined(separator: ","))],"segments":[]}]}"#
  }

  static func update(_ name: String, _ isOn: Bool) -> String {
    #"{"events":[{"eventId":2,"type":"feature-updated","feature":\#(flag(name, isOn))}]}"#
  }

  func configuration(_ change: (inout FlagConfiguration) -> Void = { _ in }) -> FlagConfiguration {
    var configuration = FlagConfiguration(
      url: "http://flags.test/api/", appName: "shop", folder: folder.path + "/flags", token: "web:production.secret")
    configuration.transport = server.transport
    configuration.clock = clock.clock
    configuration.random = { 0 }
    change(&configuration)
    return configuration
  }

  func client(_ change: (inout FlagConfiguration) -> Void = { _ in }) -> FlagClient {
    FlagClient(configuration(change))
  }
}

/// The news that a client told, in order.
final class FlagNews: Sendable {
  /// The news that came, apart from their reader: the task takes them down before `init` has returned.
  private final class Log: Sendable { let events = Lock<[FlagClientEvent]>([]) }

  private let log: Log
  private let task: Task<Void, Never>

  init(_ client: FlagClient) {
    let (events, log) = (client.events, Log())
    self.log = log
    task = Task { for await event in events { log.events.withLock { $0.append(event) } } }
  }

  deinit { task.cancel() }

  var events: [FlagClientEvent] { log.events.withLock { $0 } }
  /// The identifiers of the failures.
  var failures: [String] {
    events.compactMap { event in
      if case .failed(let error) = event { error.identifier } else { nil }
    }
  }

  func waitFor(_ event: FlagClientEvent) async { await eventually { self.events.contains(event) } }
  func waitForFailures(_ count: Int) async { await eventually { self.failures.count >= count } }
}
