import ArgumentParser
import CommandKit
import LogCommands
import MPaaSAppServicesTools
import MPaaSLogUpload
import MPaaSProtocol
import MPaaSPush
import MPaaSSupport
import MPaaSTerminal
import PushServingKit

extension APNsPushType: ExpressibleByArgument {}

extension PushCommand {
  /// `mpaas push send`: a notification to tokens, or to installations that a server knows, by APNs or FCM.
  struct Send: StreamingCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("send", key: "push.send") }

    @Option(help: .text("command.push.send.token", valueName: "token"))
    var token: [String] = []

    @Option(help: .text("command.push.send.tokens", valueName: "file"), completion: .file())
    var tokens: String?

    @OptionGroup var receivers: PushReceiverOptions

    @Option(help: .text("command.push.send.apns", valueName: "url"))
    var apns = "https://api.push.apple.com"

    @Option(help: .text("command.push.send.other-apns", valueName: "url"))
    var otherApns: String?

    @Option(help: .text("command.push.send.ca", valueName: "file"), completion: .file())
    var ca: String?

    @OptionGroup var key: PushKeyOptions

    @Option(help: .text("command.push.send.topic", valueName: "bundle-id"))
    var topic: String?

    @Option(help: .text("command.push.send.type", valueName: "type"))
    var type = APNsPushType.alert

    @Option(help: .text("command.push.send.priority", valueName: "10|5|1"), completion: .list(["10", "5", "1"]))
    var priority: Int?

    @Option(help: .text("command.push.send.expiration", valueName: "second"))
    var expiration: UInt64?

    @OptionGroup var message: PushMessageOptions

    @Option(help: .text("command.push.send.account", valueName: "file"), completion: .file(extensions: ["json"]))
    var account: String?

    @Option(help: .text("command.push.send.fcm", valueName: "url"))
    var fcm = "https://fcm.googleapis.com"

    @OptionGroup var pace: PushPaceOptions

    @Flag(help: .text("command.push.send.dry-run"))
    var dryRun = false

    @OptionGroup var server: ServerOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context, results: ResultSink) async throws -> ExitStatus {
      guard receivers.query == nil || (token.isEmpty && tokens == nil) else {
        throw Diagnostic("push-receivers", exit: .usage)
      }
      if let account { return try await sendByFCM(account, in: context) }
      let notification = try notification(in: context)
      let words = try key.words()
      // A fault of the key is reported before anything is handed over.
      _ = try key.key(words)
      let tokens = try await allTokens(in: context)
      if dryRun {
        let report = checked(tokens)
        try results.put(report)
        return report.exit
      }
      throw try context.handOver(
        sending(.apns(notification, key: words), to: apns, otherAddress: otherApns, tokens, in: context))
    }

    private func sendByFCM(_ account: String, in context: Context) async throws -> ExitStatus {
      let message = try message.fcmMessage(isValidatedOnly: dryRun)
      let tokens = try await allTokens(in: context)
      throw try context.handOver(
        sending(.fcm(message, account: account), to: fcm, otherAddress: nil, tokens, in: context))
    }

    private func sending(
      _ provider: PushSending.Provider, to address: String, otherAddress: String?, _ tokens: [String],
      in context: Context
    ) throws -> PushSending {
      var sending = PushSending(
        provider, to: address, otherAddress: otherAddress, authorities: ca, tokens: tokens)
      (sending.connections, sending.patience) = (pace.connections, pace.timeout)
      (sending.rate, sending.attempts) = (pace.rate, pace.attempts)
      // A trial changes nothing at the server either.
      if receivers.query != nil, !dryRun {
        let registry = try server.server(in: context)
        sending.registry = PushSending.Registry(
          url: registry.url, token: registry.token, certificates: try server.authorities(in: context),
          environment: environment)
      }
      return sending
    }

    /// The environment whose tokens are asked for: that of Apple's address; nil where both may be reached.
    private var environment: PushEnvironment? {
      guard account == nil, otherApns == nil else { return nil }
      return PushEnvironment.allCases.first { apns.hasPrefix($0.address) }
    }

    /// The tokens that the server has for the receivers.
    private func registered(_ query: PushInstallationQuery, in context: Context) async throws -> [String] {
      guard let topic else { throw Diagnostic("push-missing", ["option": "--topic"], exit: .usage) }
      var query = query
      (query.topic, query.environment) = (topic, environment)
      let found = try await server.server(in: context).pushTokens(query)
      guard !found.isEmpty else { throw Diagnostic("push-no-installations", ["topic": topic], exit: .inputMissing) }
      return found
    }

    private func allTokens(in context: Context) async throws -> [String] {
      if let query = receivers.query { return try await registered(query, in: context) }
      var all = token
      if let tokens {
        let bytes = try context.data(at: tokens)
        all += TokenLines.tokens(in: bytes.text)
      }
      guard !all.isEmpty else { throw Diagnostic("push-no-tokens", exit: .usage) }
      guard account == nil else { return all }
      // One that is none is told as refused with the others.
      return all.map { (try? DeviceToken($0).text) ?? $0 }
    }

    private func notification(in context: Context) throws -> APNsNotification {
      guard let topic else { throw Diagnostic("push-missing", ["option": "--topic"], exit: .usage) }
      var notification = APNsNotification(payload: try message.apnsPayload(in: context), topic: topic)
      notification.type = type
      (notification.priority, notification.expiration) = (priority, expiration)
      notification.collapseID = message.collapseID
      try notification.check()
      return notification
    }

    /// The tokens that APNs could be asked for, and those that it would refuse by their form.
    private func checked(_ tokens: [String]) -> PushReport {
      var report = PushReport(isDryRun: true)
      for token in tokens {
        let reason = APNsReason.badDeviceToken
        let isToken = (try? DeviceToken(token)) != nil
        report.add(
          isToken
            ? .accepted(id: nil) : .failed(PushFailure(status: reason.status, reason: reason.rawValue)), for: token)
      }
      return report
    }
  }
}

/// The speed and the patience of sending.
struct PushPaceOptions: ParsableArguments {
  @Option(help: .text("command.push.send.connections", valueName: "number"))
  var connections = 1

  @Option(help: .text("command.push.send.rate", valueName: "number"))
  var rate: Double?

  @Option(help: .text("command.push.send.timeout", valueName: "seconds"))
  var timeout = 30.0

  @Option(help: .text("command.push.send.attempts", valueName: "number"))
  var attempts = 5

  func validate() throws {
    let isRight =
      (1...100).contains(connections) && (rate ?? 1) > 0 && (0.01...3600).contains(timeout)
      && (1...100).contains(attempts)
    guard isRight else { throw ValidationError(Catalogue.current.text("text.push-pace")) }
  }
}
