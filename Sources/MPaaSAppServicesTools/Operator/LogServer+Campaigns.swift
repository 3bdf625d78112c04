package import MPaaSLogUpload
package import MPaaSLogs
package import MPaaSProtocol
import MPaaSSupport
import MPaaSTransfer

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension LogServer {
  /// Campaigns, the newest first.
  ///
  /// - Parameter cursor: The word of the part before; nil for the beginning.
  package func campaigns(
    state: PushCampaignState?, limit: Int? = nil, cursor: String? = nil
  ) async throws(LogError) -> PushCampaignPage {
    let words = [("state", state?.rawValue), ("limit", limit.map { String($0) }), ("cursor", cursor)]
    return try await ask("GET", ServerPaths.pushCampaigns + AddressWords.text(words))
  }

  /// Creates a campaign of JSON; the same a second time changes nothing.
  package func createCampaign(_ json: [UInt8], app: String?) async throws(LogError) -> PushCampaignEntry {
    try await send(json, [("app", app)])
  }

  /// Checks a campaign, and creates none.
  package func checkCampaign(_ json: [UInt8], app: String?) async throws(LogError) -> PushCampaignCheck {
    try await send(json, [("app", app), ("check", "1")])
  }

  private func send<Answer: Decodable>(
    _ json: [UInt8], _ words: [(String, String?)]
  ) async throws(LogError) -> Answer {
    let path = ServerPaths.pushCampaigns + AddressWords.text(words)
    let reply = try await ask("POST", path, body: json)
    do {
      return try JSONDecoder().decode(Answer.self, from: Data(reply.body))
    } catch {
      throw LogError(.answerMalformed, ["url": url + path, "reason": "\(error)"])
    }
  }

  /// A campaign with the JSON that it was created with.
  package func campaign(_ id: String, app: String?) async throws(LogError) -> PushCampaignDetail {
    try await ask("GET", Self.path(id) + AddressWords.text([("app", app)]))
  }

  /// Pauses, resumes or cancels a campaign.
  package func changeCampaign(_ id: String, _ wish: String, app: String?) async throws(LogError) -> PushCampaignEntry {
    try await ask("POST", Self.path(id) + "/\(wish)" + AddressWords.text([("app", app)]))
  }

  /// The outcomes of a campaign, installation by installation.
  package func deliveries(
    _ id: String, _ state: PushDeliveryState?, app: String?, limit: Int? = nil, cursor: String? = nil
  ) async throws(LogError) -> PushDeliveryPage {
    let words = [
      ("state", state?.rawValue), ("app", app), ("limit", limit.map { String($0) }), ("cursor", cursor),
    ]
    return try await ask("GET", Self.path(id) + "/deliveries" + AddressWords.text(words))
  }

  private static func path(_ id: String) -> String { ServerPaths.pushCampaigns + "/" + PercentEncoding.encode(id) }
}
