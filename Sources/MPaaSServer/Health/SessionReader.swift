import MPaaSCrashReport
import MPaaSDigests
import MPaaSSupport

/// Reads the items `session` and `sessions` of envelopes.
///
/// An item that cannot be counted is refused by itself, with a word for why; the others of its envelope go on.
///
/// - Source: "Sessions", develop.sentry.dev/sdk/telemetry/sessions, version 1.7.
package struct SessionReader: Sendable {
  /// The updates to store, and the numbers of those refused, by their words.
  package struct Result: Sendable, Equatable {
    package var updates: [SessionUpdate] = []
    package var refused: [String: Int64] = [:]

    package init() {}

    /// Tells whether nothing was said of sessions.
    package var isEmpty: Bool { updates.isEmpty && refused.isEmpty }

    fileprivate mutating func refuse(_ code: ServerError.Code) { refused[code.id.name, default: 0] += 1 }
  }

  /// Seconds that a session may have begun before it is told.
  package static let lateness: Int64 = 30 * 86_400
  /// Seconds that the sender's clock may be off before its times are corrected.
  private static let tolerance: Int64 = 5 * 60
  /// The most updates of one envelope.
  private static let mostUpdates = 10_000
  /// The most of anything that one update counts.
  private static let greatest: Int64 = 1_000_000_000
  package static let longestRelease = 250
  private static let longestEnvironment = 64

  private let app: String
  /// Seconds since 1970, by the server's clock.
  private let received: Int64
  /// Seconds to add to the sender's times.
  private let correction: Int64

  /// - Parameters:
  ///   - app: The key of the app.
  ///   - sent: `sent_at` of the envelope.
  ///   - received: Seconds since 1970, by the server's clock.
  package init(app: String, sent: String?, received: Double) {
    self.app = app
    self.received = Int64(received)
    let off = sent.flatMap { CrashReport.Timestamp($0) }.map { Int64(received) - $0.seconds } ?? 0
    correction = off.magnitude > Self.tolerance ? off : 0
  }

  /// Tells whether items of the type are about sessions.
  package static func takes(_ type: String) -> Bool { type == "session" || type == "sessions" }

  /// Reads the payload of an item.
  package func read(_ type: String, _ payload: UnsafeRawBufferPointer, into result: inout Result) {
    guard result.updates.count < Self.mostUpdates, let object = try? JSONValue(reading: payload).object else {
      return result.refuse(.sessionMalformed)
    }
    let attributes = object["attrs"]?.object
    guard let release = Self.text(attributes?["release"], Self.longestRelease), !release.isEmpty else {
      return result.refuse(.sessionNoRelease)
    }
    let environment = Self.text(attributes?["environment"], Self.longestEnvironment) ?? ""
    let place = result.updates.count
    if type == "session" {
      session(object, release, environment, &result)
    } else {
      aggregates(object, release, environment, &result)
    }
    guard let patches = PatchLabel.all(attributes?["patches"]?.array?.compactMap(\.string)) else { return }
    for index in result.updates.indices.dropFirst(place) { result.updates[index].patches = patches }
  }

  private func session(
    _ object: JSONValue.Object, _ release: String, _ environment: String, _ result: inout Result
  ) {
    let (state, sid) = (SessionState(status: object["status"]?.string), object["sid"]?.string)
    // Without a name nothing that follows could be told from another session.
    guard sid != nil || state == .exited else { return }
    guard let errors = Self.number(object["errors"]) else { return result.refuse(.sessionMalformed) }
    guard let started = start(of: object, &result) else { return }
    result.updates.append(
      SessionUpdate(
        app: app, release: release, environment: environment, user: Self.user(object["did"]),
        sid: sid.map(Self.sid), started: started, state: state, errors: errors))
  }

  private func aggregates(
    _ object: JSONValue.Object, _ release: String, _ environment: String, _ result: inout Result
  ) {
    guard let aggregates = object["aggregates"]?.array else { return result.refuse(.sessionMalformed) }
    for aggregate in aggregates {
      guard result.updates.count < Self.mostUpdates, let aggregate = aggregate.object else {
        result.refuse(.sessionMalformed)
        continue
      }
      guard let started = start(of: aggregate, &result) else { continue }
      let user = Self.user(aggregate["did"])
      for (name, state, errors) in Self.classes {
        guard let count = Self.number(aggregate[name]) else {
          result.refuse(.sessionMalformed)
          continue
        }
        guard count > 0 else { continue }
        result.updates.append(
          SessionUpdate(
            app: app, release: release, environment: environment, user: user, started: started, state: state,
            errors: errors, count: count))
      }
    }
  }

  private static let classes: [(name: String, state: SessionState, errors: Int64)] = [
    ("exited", .exited, 0), ("errored", .exited, 1), ("abnormal", .abnormal, 1), ("crashed", .crashed, 1),
    ("unhandled", .unhandled, 1),
  ]

  /// The moment at which a session began, by the server's clock.
  private func start(of object: JSONValue.Object, _ result: inout Result) -> Int64? {
    guard let told = CrashReport.Timestamp(object["started"]) else {
      result.refuse(.sessionMalformed)
      return nil
    }
    // A clock that was put forward after `sent_at`, or without it.
    let started = min(told.seconds + correction, received)
    guard started >= received - Self.lateness else {
      result.refuse(.sessionLate)
      return nil
    }
    return started
  }

  private static func text(_ value: JSONValue?, _ most: Int) -> String? { value?.string.map { cut($0, most) } }

  /// A text that is not longer than it may be, and without the character that databases refuse.
  package static func cut(_ text: String, _ most: Int = longestRelease) -> String {
    guard text.utf8.count > most || text.utf8.contains(0) else { return text }
    return String(
      String.UnicodeScalarView(text.unicodeScalars.lazy.map { $0.value == 0 ? "\u{2400}" : $0 }.prefix(most)))
  }

  /// A count from 0 on: 0 where it is left out; nil for what cannot be one.
  private static func number(_ value: JSONValue?) -> Int64? {
    switch value {
    case nil, .null?: 0
    case let value?:
      value.double.flatMap { $0 >= 0 && $0 <= Double(greatest) ? Int64($0) : nil }
    }
  }

  private static func user(_ value: JSONValue?) -> String? {
    let text = value?.string ?? value?.integer(Int64.self).map(String.init)
    return text.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The 16 bytes of a session's name: those that its digits stand for, or of the SHA-256 of any other text.
  package static func sid(_ text: String) -> [UInt8] {
    let plain = text.utf8.lazy.filter { $0 != UInt8(ascii: "-") }.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }
    let name = String(decoding: Array(plain), as: UTF8.self)
    if name.utf8.count == 32, let bytes = [UInt8](hexadecimal: name) { return bytes }
    return Array(name.utf8.sha256.prefix(16))
  }
}
