import MPaaSProtocol
import MPaaSPush
import MPaaSSupport
import MPaaSTerminal
import MPaaSTransfer
import PushServingKit
import ServingKit

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension PushSending.Registry {
  /// Tells the server the refusals that may end a token, so that it is not asked for again.
  ///
  /// The notifications are on their way by then: a server that cannot be told is a warning.
  func tell(_ failures: [PushReport.Failure], in context: Context) async {
    let refusals = failures.filter(Self.mayEnd).map {
      PushRefusal(token: $0.token, status: $0.status, reason: String($0.reason.prefix(50)), timestamp: $0.timestamp)
    }
    let client = HTTPClient.live(userAgent: "mpaas", settings: HTTPSettings(certificates: certificates))
    for start in stride(from: 0, to: refusals.count, by: PushRefusals.most) {
      let part = refusals[start..<min(start + PushRefusals.most, refusals.count)]
      let report = PushRefusals(environment: environment, outcomes: Array(part))
      if let reason = await tell(report, client, context.catalogue) {
        let values = ["url": url, "reason": reason]
        return context.terminal.warning(Diagnostic("push-registry-untold", values, exit: .done))
      }
    }
  }

  private static func mayEnd(_ failure: PushReport.Failure) -> Bool {
    PushFailure(status: failure.status, reason: failure.reason, timestamp: failure.timestamp)
      .endsToken(registeredAt: 0)
  }

  /// - Returns: The reason where the server could not be told.
  private func tell(_ refusals: PushRefusals, _ client: HTTPClient, _ catalogue: Catalogue) async -> String? {
    guard let body = try? JSONEncoder().encode(refusals) else { return "JSON" }
    let headers = [("Content-Type", "application/json")] + (token.map { [("Authorization", "Bearer " + $0)] } ?? [])
    let call = HTTPCall("POST", url + ServerPaths.pushOutcomes, headers: headers, body: [.bytes(Bytes(Array(body)))])
    do throws(HTTPError) {
      let reply = try await client.answer(to: call)
      return reply.isSuccess ? nil : Self.reason(reply)
    } catch {
      let problem = error.diagnostic
      return catalogue.clause(problem.id.name, problem.values)
    }
  }

  /// The words of a refusal, without the stop at their end.
  private static func reason(_ reply: HTTPReply) -> String {
    guard let said = try? JSONDecoder().decode(ServerRefusal.self, from: Data(reply.body)) else { return reply.reason }
    return said.message.hasSuffix(".") ? String(said.message.dropLast()) : said.message
  }
}
