import MPaaSDatabase
import MPaaSProtocol
import MPaaSSupport
import MPaaSTerminal
import MPaaSTransfer
import MPaaSTransferTools
import Synchronization

/// Sends messages of alerts whose time has come, as long as the server runs.
final class AlertSender: Sendable {
  private let services: ServerServices
  private let mail: MailSettings?
  private let client: HTTPClient
  private let loop = Mutex<Task<Void, Never>?>(nil)
  private let isEnding = Mutex(false)

  /// Messages that are sent at a time.
  private static let atOnce = 8
  private static let pause = Duration.seconds(1)
  private static let answerLimit = 64 << 10

  init(_ services: ServerServices, mail: MailSettings?, client: HTTPClient? = nil) {
    (self.services, self.mail) = (services, mail)
    var settings = HTTPSettings()
    settings.proxy = ""
    self.client = client ?? .live(userAgent: "mpaas", settings: settings)
  }

  func begin() {
    let task = Task { [self] in
      while !isEnding.withLock({ $0 }), !Task.isCancelled {
        if await !sendDue() { try? await Task.sleep(for: Self.pause) }
      }
    }
    loop.withLock { $0 = task }
  }

  /// Sends no more; what is under way is sent again by the next server where its outcome is not known.
  func end() async {
    isEnding.withLock { $0 = true }
    let task = loop.withLock { $0 }
    task?.cancel()
    await task?.value
  }

  /// Sends what is due; tells whether there was anything.
  func sendDue() async -> Bool {
    let now = services.now()
    let isAny = try? await services.store.read { database in
      try database.row(
        "SELECT 1 FROM alert_deliveries WHERE next IS NOT NULL AND next <= ? LIMIT 1", [.real(now)]
      ) { _ in true }
    }
    guard isAny == true,
      let due = try? await services.store.write({ try AlertStore.claim(Self.atOnce, at: now, in: $0) }), !due.isEmpty
    else { return false }
    await withTaskGroup(of: Void.self) { group in
      for message in due {
        group.addTask { [self] in
          let outcome = await send(message)
          let now = services.now()
          if outcome.isSent { services.counts.add("sent.alert") } else { services.counts.add("failed.alert") }
          try? await services.store.write { try AlertStore.note(outcome, of: message, at: now, in: $0) }
        }
      }
    }
    return true
  }

  private func send(_ due: AlertStore.Due) async -> AlertStore.Outcome {
    let language = due.target.language.flatMap { Language(tag: $0) }
    let catalogue = language.map { Catalogue(language: $0) } ?? services.catalogue
    guard let address = due.target.mail else { return await call(due, catalogue) }
    guard let mail else { return AlertStore.Outcome(isFinal: true, reason: "--mail") }
    let text = AlertText(due.message, catalogue)
    let message = MailMessage(
      from: mail.from, to: address, subject: text.title, text: text.plain, id: due.id, time: services.now())
    let bytes = message.bytes
    return await withCheckedContinuation { continuation in
      DetachedThread.run {
        do throws(HTTPError) {
          try mail.server.send(bytes, from: mail.from, to: [address])
          continuation.resume(returning: AlertStore.Outcome(isSent: true))
        } catch {
          continuation.resume(returning: Self.outcome(error))
        }
      }
    }
  }

  private func call(_ due: AlertStore.Due, _ catalogue: Catalogue) async -> AlertStore.Outcome {
    let allowsPrivate = services.configuration.allowsPrivateWebhooks
    let form = due.target.form.flatMap(AlertForm.init(rawValue:)) ?? .json
    // What was allowed when the rule was made may not be any more.
    do throws(ServerError) {
      _ = try WebhookAddress(due.target.webhook ?? "", allowsPrivate: allowsPrivate)
    } catch {
      return AlertStore.Outcome(isFinal: true, reason: error.code.id.name)
    }
    let plan = form.call(due.message, due.target, id: due.id, at: services.now(), catalogue)
    var call = HTTPCall(
      "POST", plan.url, headers: plan.headers.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) },
      bytes: plan.body)
    call.limits.redirects = 0
    call.limits.connect = .seconds(10)
    call.limits.total = .seconds(30)
    call.answerLimit = Self.answerLimit
    // Asked with the address that is connected to: a name may have another by now.
    call.admits = { allowsPrivate || InternetAddress(bytes: $0).isGlobal }
    do throws(HTTPError) {
      let reply = try await client.answer(to: call)
      return Self.outcome(reply, form)
    } catch {
      return Self.outcome(error)
    }
  }

  private static func outcome(_ reply: HTTPReply, _ form: AlertForm) -> AlertStore.Outcome {
    let status = Int64(reply.status)
    guard reply.isSuccess else {
      let isPassing = [408, 425, 429].contains(reply.status) || reply.status >= 500
      return AlertStore.Outcome(
        isFinal: !isPassing, status: status, reason: reply.reason,
        pause: reply.retryAfter.map { Double($0.components.seconds) })
    }
    if let reason = form.refusal(reply.body) { return AlertStore.Outcome(status: status, reason: reason) }
    return AlertStore.Outcome(isSent: true, status: status)
  }

  private static func outcome(_ error: HTTPError) -> AlertStore.Outcome {
    var outcome = AlertStore.Outcome(reason: error.diagnostic.id.name + ": " + error.reason)
    if case .status(let status) = error.code {
      // Of SMTP: replies from 500 on are for good.
      outcome.status = Int64(status)
      outcome.isFinal = status >= 500
    }
    return outcome
  }
}
