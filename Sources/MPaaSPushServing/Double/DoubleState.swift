import MPaaSLock
import MPaaSPush
import MPaaSSupport

/// All that the connections of a double share.
final class DoubleState: Sendable {
  fileprivate struct State {
    var apns: APNsJudge
    var fcm: FCMJudge?
    /// The last requests, the oldest first.
    var records: [DoubleRecord] = []
    var connections = 0
    /// The most requests of a connection that were under way at a time.
    var most = 0
    /// Told the streams that they allow from now on.
    var listeners: [Int: @Sendable (Int) -> Void] = [:]
  }

  private let state: Lock<State>
  private let now: @Sendable () -> Double
  private let record: @Sendable (DoubleRecord) -> Void

  init(
    _ configuration: DoubleConfiguration, now: @escaping @Sendable () -> Double,
    record: @escaping @Sendable (DoubleRecord) -> Void
  ) {
    state = Lock(State(apns: APNsJudge(configuration), fcm: configuration.fcm.map { FCMJudge($0) }))
    self.now = now
    self.record = record
  }

  var behavior: DoubleBehavior { state.withLock { $0.apns.configuration.behavior } }
  var records: [DoubleRecord] { state.withLock { $0.records } }

  /// The number of a new connection, which is told when it is to allow another number of streams.
  func open(_ listener: @escaping @Sendable (Int) -> Void) -> Int {
    state.withLock { state in
      state.connections += 1
      state.listeners[state.connections] = listener
      return state.connections
    }
  }

  var most: Int { state.withLock { $0.most } }

  /// Takes note of the requests of a connection that are under way.
  func note(_ open: Int) { state.withLock { $0.most = max($0.most, open) } }

  func close(_ connection: Int) { state.withLock { state in state.listeners[connection] = nil } }

  func change(_ behavior: DoubleBehavior) {
    let listeners = state.withLock { state in
      state.apns.configuration.behavior = behavior
      return Array(state.listeners.values)
    }
    for listener in listeners { listener(behavior.streams) }
  }

  /// Answers a request, and puts it into the log.
  func answer(_ request: DoubleRequest, connection: Int, stream: Int) -> DoubleAnswer {
    if request.path.hasPrefix("/double/") { return own(request) }
    let now = now()
    let (answer, entry) = state.withLock { state in
      let answer = state.answer(request, now: now)
      let entry = DoubleRecord(
        time: now, connection: connection, stream: stream, method: request.method, path: request.path, id: answer.id,
        topic: request["apns-topic"], type: request["apns-push-type"], status: answer.status, reason: answer.reason)
      state.keep(entry)
      return (answer, entry)
    }
    record(entry)
    return answer
  }

  /// The double's own paths: its behavior, which may be changed, and the last requests.
  private func own(_ request: DoubleRequest) -> DoubleAnswer {
    var answer = DoubleAnswer()
    switch (request.method, request.path) {
    case ("POST", "/double/settings"):
      do throws(PushError) {
        let bytes = Bytes(request.body)
        change(try DoubleBehavior(DoubleMembers(bytes.buffer), over: behavior))
        answer.body = "{}"
      } catch {
        answer.status = 400
        answer.body = JSONValue.object(["error": .string(error.values["field"] ?? "")]).line
      }
    case ("GET", "/double/log"): answer.body = "[" + records.map(\.line).joined(separator: ",\n") + "]"
    default: answer.status = 404
    }
    return answer
  }
}

extension DoubleState.State {
  fileprivate mutating func answer(_ request: DoubleRequest, now: Double) -> DoubleAnswer {
    if request.path == "/token", fcm != nil {
      return fcm?.token(request, now: now) { Self.number() } ?? DoubleAnswer()
    }
    if let fcm, request.path == fcm.path { return fcm.message(request, now: now) { Self.number() } }
    return apns.answer(request, now: now) { Self.number().dashedUUID.uppercased() }
  }

  private static func number() -> String { (0..<16).map { _ in UInt8.random(in: 0...255) }.hexadecimal }

  fileprivate mutating func keep(_ record: DoubleRecord) {
    if records.count >= 2000 { records.removeFirst(1000) }
    records.append(record)
  }
}

extension DoubleRecord {
  /// The record as JSON on one line.
  package var line: String {
    var members: JSONValue.Object = [
      "connection": JSONValue(connection), "stream": JSONValue(stream), "method": .string(method),
      "path": .string(path), "status": JSONValue(status), "time": JSONValue(time) ?? .null,
    ]
    for (name, text) in [("apns_id", id), ("topic", topic), ("push_type", type), ("reason", reason)] {
      if let text { members[name] = .string(text) }
    }
    return JSONValue.object(members).line
  }
}
