import MPaaSProtocol
import MPaaSPush
import MPaaSSupport
import MPaaSTimeZones

/// The bounds of what apps and senders tell the registry.
enum PushRules {
  static let mostTags = 50
  /// Bytes of a token: FCM's are longer than those of APNs.
  private static let longestToken = 1000

  /// The report with its token as APNs writes it.
  ///
  /// - Throws: `server-bad-request` with the field that cannot be so.
  static func checked(_ report: PushInstallation) throws(ServerError) -> PushInstallation {
    let token = normal(report.token)
    let fields: [(name: String, isGood: Bool)] = [
      ("installation", isName(report.installation)), ("token", isWord(token, 1...longestToken)),
      ("user", isText(report.user, 1...300)), ("topic", isWord(report.topic, 1...255)),
      ("locale", isText(report.locale, 1...64)), ("tags", areGood(report.tags ?? [])),
      ("timezone", report.timezone.map(TimeZoneRules.isName) ?? true), ("version", isText(report.version, 1...64)),
      ("registered", (0..<1e11).contains(report.registered)),
    ]
    if let bad = fields.first(where: { !$0.isGood }) { throw ServerError(.badRequest, ["reason": bad.name]) }
    var report = report
    report.token = token
    return report
  }

  /// The refusals with their tokens as APNs writes them.
  ///
  /// - Throws: `server-bad-request` with the field that cannot be so.
  static func checked(_ refusals: PushRefusals) throws(ServerError) -> PushRefusals {
    guard (1...PushRefusals.most).contains(refusals.outcomes.count) else {
      throw ServerError(.badRequest, ["reason": "outcomes: 1…\(PushRefusals.most)"])
    }
    var refusals = refusals
    for index in refusals.outcomes.indices {
      let refusal = refusals.outcomes[index]
      refusals.outcomes[index].token = normal(refusal.token)
      let isGood = (1...longestToken).contains(refusal.token.utf8.count) && isText(refusal.reason, 0...200)
      guard isGood else { throw ServerError(.badRequest, ["reason": "outcomes[\(index)]"]) }
    }
    return refusals
  }

  /// A token of APNs in small digits; another one as it is.
  private static func normal(_ token: String) -> String { (try? DeviceToken(token).text) ?? token }

  /// Tells whether a text names an installation: letters, digits and `-._` of ASCII, so that it stands in a path as is.
  static func isName(_ text: String) -> Bool {
    (1...100).contains(text.utf8.count)
      && text.utf8.allSatisfy { PercentEncoding.isAlphanumeric($0) || [0x2d, 0x2e, 0x5f].contains($0) }
  }

  private static func areGood(_ tags: [String]) -> Bool {
    tags.count <= mostTags && tags.allSatisfy { isText($0, 1...64) }
  }

  /// Tells whether a text consists of visible signs of ASCII.
  private static func isWord(_ text: String, _ bytes: ClosedRange<Int>) -> Bool {
    bytes.contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7e).contains($0) }
  }

  /// Tells whether a text has so many bytes, and no control characters.
  private static func isText(_ text: String?, _ bytes: ClosedRange<Int>) -> Bool {
    text.map { bytes.contains($0.utf8.count) && $0.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f } } ?? true
  }
}
