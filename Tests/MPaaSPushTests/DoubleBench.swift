import Foundation
import MPaaSLock
import MPaaSPush
import MPaaSPushServing
import MPaaSSupport
import Testing

/// A double with a key of its own, and senders to it.
struct DoubleBench {
  static let topic = "com.example.shop"
  static let (keyID, team) = ("TESTKEY001", "TEAM000001")

  let double: PushDouble
  let key: ProviderKey
  let delivered: Delivered

  /// The tokens that were accepted, each as often as it was.
  final class Delivered: Sendable {
    private let tokens = Lock<[String]>([])
    func add(_ record: DoubleRecord) {
      guard record.status == 200 else { return }
      tokens.withLock { $0.append(String(record.path.dropFirst("/3/device/".count))) }
    }
    var all: [String] { tokens.withLock { $0 } }
  }

  /// The outcomes by the numbers of jobs.
  final class Outcomes: Sendable {
    private let outcomes = Lock<[Int: [PushOutcome]]>([:])
    func add(_ result: PushResult) { outcomes.withLock { $0[result.number, default: []].append(result.outcome) } }
    var all: [Int: [PushOutcome]] { outcomes.withLock { $0 } }
    func count(_ isWanted: (PushOutcome) -> Bool) -> Int { all.values.joined().filter(isWanted).count }
    var accepted: Int { count { if case .accepted = $0 { true } else { false } } }
    var unknown: Int { count { if case .unknown = $0 { true } else { false } } }
    var failures: [PushFailure] {
      all.sorted { $0.key < $1.key }.flatMap(\.value).compactMap { if case .failed(let why) = $0 { why } else { nil } }
    }
  }

  static func token(_ number: Int) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 64 - digits.count) + digits
  }

  /// - Parameter time: The double's time, where it stands still.
  init(
    tokens: Int = 10, time: Double? = nil, _ change: (inout DoubleConfiguration) -> Void = { _ in }
  ) async throws {
    let pem = Self.newKey()
    key = try ProviderKey(pem: pem, keyID: Self.keyID, teamID: Self.team)
    var configuration = try Self.configuration(
      ["key_id": .string(Self.keyID), "team_id": .string(Self.team), "public_key": .string(key.publicPEM)])
    configuration.topics[Self.topic] = Set((0..<tokens).map(Self.token))
    change(&configuration)
    let delivered = Delivered()
    self.delivered = delivered
    double = try await PushDouble.listen(on: "127.0.0.1:0", configuration) {
      time ?? Date().timeIntervalSince1970
    } record: {
      delivered.add($0)
    }
  }

  static func configuration(_ value: JSONValue) throws -> DoubleConfiguration {
    try Array(value.line.utf8).withUnsafeBytes { try DoubleConfiguration($0) }
  }

  var trust: PushTrust {
    get throws { try PushTrust(authorities: Array(double.authority.utf8)) }
  }

  var notification: APNsNotification {
    var alert = APNsAlert()
    alert.body = "Hello!"
    return APNsNotification(payload: alert.payload, topic: Self.topic)
  }

  /// Options that wait for nothing.
  static var options: PushSender.Options {
    var options = PushSender.Options()
    (options.backoff.first, options.jitter) = (0.001, { 0.5 })
    return options
  }

  /// Sends the notification to the first tokens.
  func send(
    _ count: Int, key: ProviderKey? = nil, options: PushSender.Options = Self.options,
    now: @escaping @Sendable () -> Double = { Date().timeIntervalSince1970 }
  ) async throws -> Outcomes {
    let tokens = ProviderTokens(key ?? self.key, now: now)
    let provider = try APNsProvider([notification], tokens: tokens, now: now)
    let sender = PushSender(provider, to: try PushAddress(double.url), trust: try trust, options: options)
    let outcomes = Outcomes()
    try await sender.send((0..<count).map { PushJob(number: $0, token: Self.token($0)) }) { outcomes.add($0) }
    return outcomes
  }
}
