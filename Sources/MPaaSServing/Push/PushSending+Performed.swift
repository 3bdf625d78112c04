import MPaaSPush
import MPaaSPushServing
package import MPaaSSupport
package import MPaaSTerminal
package import PushServingKit
package import ServingKit
import Synchronization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension PushSending: PerformedWork {
  package func perform(in context: Context, results: ResultSink) async throws -> ExitStatus {
    let trust = try PushTrust(authorities: authorities.map { try Bytes.reading($0, limit: 8 << 20).array })
    let sender = try await sender(trust, in: context)
    let fit = tokens.indices.filter { isToken(tokens[$0]) }
    var ends = try await outcomes(of: fit, sender(address), in: context)
    let reason = APNsReason.badDeviceToken
    for place in tokens.indices where !isToken(tokens[place]) {
      ends[place] = .failed(PushFailure(status: reason.status, reason: reason.rawValue))
    }
    if let otherAddress {
      let others = fit.filter { ends[$0]?.isOfOtherEnvironment == true }
      let again = try await outcomes(of: others, sender(otherAddress), in: context)
      ends.merge(again) { $1 }
    }
    var report = PushReport()
    for (place, token) in tokens.enumerated() { report.add(ends[place] ?? .unsent("Unreachable"), for: token) }
    try results.put(report)
    await registry?.tell(report.failed, in: context)
    return report.exit
  }

  /// Tells whether APNs could know a token; one that cannot be written in a path is not sent.
  private func isToken(_ text: String) -> Bool {
    if case .apns = provider { (try? DeviceToken(text)) != nil } else { true }
  }

  /// Makes a sender to an address.
  private func sender(
    _ trust: PushTrust, in context: Context
  ) async throws -> @Sendable (String) throws(PushError) -> PushSender {
    let now = context.now
    let seconds: @Sendable () -> Double = { now().timeIntervalSince1970 }
    let options = options
    switch provider {
    case .apns(let notification, let words):
      let bytes = try Bytes.reading(words.file, limit: 64 << 10)
      let pem = bytes.text
      let key = try ProviderKey(pem: pem, keyID: words.keyID, teamID: words.team)
      let provider = try APNsProvider([notification], tokens: ProviderTokens(key, now: seconds), now: seconds)
      return { address throws(PushError) in
        PushSender(provider, to: try PushAddress(address), trust: trust, options: options)
      }
    case .fcm(let message, let account):
      let bytes = try Bytes.reading(account, limit: 64 << 10)
      let access = FCMAccess(try Self.account(bytes, account), trust: trust, now: seconds)
      try await access.renew()
      let provider = try FCMProvider([message], access: access, now: seconds)
      return { address throws(PushError) in
        PushSender(provider, to: try PushAddress(address), trust: trust, options: options)
      }
    }
  }

  private static func account(_ bytes: Bytes, _ file: String) throws(PushError) -> FCMAccount {
    do throws(PushError) { return try FCMAccount(bytes.buffer) } catch { throw error.inFile(file) }
  }

  private var options: PushSender.Options {
    var options = PushSender.Options()
    options.connections = connections
    options.patience = patience
    options.rate = rate
    options.backoff.attempts = attempts
    return options
  }

  /// Sends to some tokens, by their places.
  private func outcomes(of places: [Int], _ sender: PushSender, in context: Context) async throws -> [Int: PushOutcome]
  {
    let progress = context.terminal.progress(context.catalogue.text("text.push-sending"), total: UInt64(places.count))
    defer { progress.finish() }
    let ends = Ends()
    try await sender.send(places.map { PushJob(number: $0, token: tokens[$0]) }) { result in
      ends.add(result)
      progress.advance()
    }
    return ends.all
  }
}

/// The outcomes as they come.
private final class Ends: Sendable {
  private let outcomes = Mutex<[Int: PushOutcome]>([:])

  func add(_ result: PushResult) { outcomes.withLock { $0[result.number] = result.outcome } }
  var all: [Int: PushOutcome] { outcomes.withLock { $0 } }
}

extension PushOutcome {
  /// Tells whether the token may be one of the other environment.
  fileprivate var isOfOtherEnvironment: Bool {
    if case .failed(let failure) = self { failure.reason == APNsReason.badDeviceToken.rawValue } else { false }
  }
}
