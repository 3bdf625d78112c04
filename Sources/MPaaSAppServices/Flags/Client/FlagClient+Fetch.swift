import MPaaSSupport
import MPaaSTime
import MPaaSTransfer
import MPaaSVerification

/// The reason why a question brought no state.
struct FlagFetchFailure: Error {
  let error: AppServiceError
  /// The time that the server asks not to be asked again.
  var wait: TimeSpan?
  /// Tells whether the server has no such thing, now or ever.
  var isAbsence = false
}

extension FlagFetchFailure {
  /// The failure that an answer with another status than is wanted stands for.
  init(_ response: FlagResponse, _ url: String, at now: Double) {
    let line = String(decoding: response.body.prefix(200).prefix { $0 >= 0x20 }, as: UTF8.self)
    let reason = line.isEmpty ? "HTTP \(response.status)" : line
    error = AppServiceError(HTTPError(.status(response.status), url: url, reason: reason))
    wait = response.retryAfter(at: now)
    isAbsence = [404, 405, 406, 410, 501].contains(response.status)
  }

  /// The failure of a transport.
  init(_ error: any Error, _ url: String) {
    if let error = error as? any DiagnosticConvertible {
      self.error = AppServiceError(error)
    } else {
      self.error = AppServiceError(HTTPError(.other, url: url, reason: "\(error)"))
    }
  }
}

extension FlagClient {
  /// Asks the server for the state now.
  ///
  /// - Throws: `AppServiceError`: why none came, or why it is refused; the last good one stays.
  public func refresh() async throws(AppServiceError) {
    do throws(FlagFetchFailure) { try await fetch() } catch { throw error.error }
  }

  /// Asks for the state.
  ///
  /// An answer that a state of a stream, or another answer, has overtaken may be older than that: it is passed over, and
  /// the question asked again.
  func fetch() async throws(FlagFetchFailure) {
    let ticket = ticket
    if let repository { return try await fetch(from: repository, for: ticket) }
    let url = configuration.stateAddress
    for _ in 0..<3 where ticket == self.ticket {
      let before = arrivals
      let response = try await send(question(url), url)
      if arrivals == before || response.status != 200 { return try take(response, url, for: ticket) }
    }
  }

  private func take(_ response: FlagResponse, _ url: String, for ticket: UserTicket) throws(FlagFetchFailure) {
    switch response.status {
    case 304: confirm(for: ticket)
    case 200:
      do throws(AppServiceError) {
        try take(response.body, etag: response.headers["etag"], for: ticket)
      } catch { throw FlagFetchFailure(error: error) }
    default: throw FlagFetchFailure(response, url, at: configuration.clock.now())
    }
  }

  private func fetch(from repository: FlagRepository, for ticket: UserTicket) async throws(FlagFetchFailure) {
    let body: [UInt8]
    do throws(TrustError) {
      body = try await repository.fetch()
    } catch { throw FlagFetchFailure(error: AppServiceError(error)) }
    do throws(AppServiceError) {
      try take(body, etag: nil, for: ticket)
    } catch { throw FlagFetchFailure(error: error) }
  }

  /// Notes that the state at hand is the server's.
  private func confirm(for ticket: UserTicket) {
    guard ticket == self.ticket, holding != nil else { return }
    show(from: .server)
  }

  private func question(_ url: String) -> FlagRequest {
    var headers = fields
    headers.append(("unleash-interval", String(configuration.pace.interval.milliseconds)))
    if let etag = holding?.etag { headers.append(("If-None-Match", etag)) }
    return FlagRequest("GET", url, headers: headers, timeout: configuration.pace.timeout)
  }

  func send(_ request: FlagRequest, _ url: String) async throws(FlagFetchFailure) -> FlagResponse {
    do { return try await transport.exchange(request) } catch { throw FlagFetchFailure(error, url) }
  }

  /// The fields that each request has.
  ///
  /// - Source: Unleash's client API.
  nonisolated var fields: [(name: String, value: String)] {
    var fields = configuration.headers.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
    if let token = configuration.token { fields.append(("Authorization", token)) }
    return fields + [
      ("unleash-appname", report.appName), ("unleash-instanceid", report.instanceID),
      ("unleash-connection-id", report.connectionID), ("unleash-sdk", FlagReport.sdk),
      ("Unleash-Client-Spec", FlagReport.specification), ("Content-Type", "application/json"),
    ]
  }
}
