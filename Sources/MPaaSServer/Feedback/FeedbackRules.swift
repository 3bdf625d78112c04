import MPaaSProtocol
import MPaaSSupport

/// The bounds of feedback and of answers to it.
enum FeedbackRules {
  /// Bytes of one piece of feedback as it is sent, its pictures apart.
  static let largestReport: Int64 = 256 << 10
  /// Bytes of a text.
  static let longestText = 20_000
  static let mostPictures = 9
  /// Bytes of a picture.
  static let largestPicture: Int64 = 32 << 20
  static let types: Set<String> = ["image/jpeg", "image/png"]
  private static let mostFacts = 40

  /// Refuses feedback that cannot be so.
  ///
  /// - Throws: `server-bad-request` with the field.
  static func check(_ report: FeedbackReport) throws(ServerError) {
    let fields: [(name: String, isGood: Bool)] = [
      ("id", isWord(report.id, 8...100)), ("secret", isWord(report.secret, 32...200)),
      ("category", isText(report.category, 1...64)), ("text", isText(report.text, 1...longestText)),
      ("contact", isText(report.contact, 0...300)), ("user", isText(report.user, 0...300)),
      ("mobile", isText(report.mobile, 0...40)), ("device", isText(report.device, 1...200)),
      ("version", isText(report.version, 0...100)), ("locale", isText(report.locale, 0...64)),
      ("facts", areGood(report.facts)), ("pictures", areGood(report.pictures)),
      ("logs", report.logs.map { isMoment($0.from) && isMoment($0.to) && $0.from <= $0.to } ?? true),
      ("created", isMoment(report.created)),
    ]
    guard let bad = fields.first(where: { !$0.isGood }) else { return }
    throw ServerError(.badRequest, ["reason": bad.name])
  }

  /// Refuses an answer that says nothing, or too much.
  ///
  /// - Throws: `server-bad-request` with the field.
  static func check(_ answer: FeedbackAnswer) throws(ServerError) {
    guard isText(answer.text, 1...longestText), answer.text != nil || answer.state != nil else {
      throw ServerError(.badRequest, ["reason": "text"])
    }
    guard answer.id.map({ isWord($0, 1...100) }) ?? true else { throw ServerError(.badRequest, ["reason": "id"]) }
  }

  private static func areGood(_ facts: [String: String]) -> Bool {
    facts.count <= mostFacts && facts.allSatisfy { isText($0.key, 1...64) && isText($0.value, 0...500) }
  }

  private static func areGood(_ pictures: [FeedbackPicture]) -> Bool {
    pictures.count <= mostPictures
      && pictures.allSatisfy {
        isText($0.name, 1...200) && types.contains($0.type) && (1...largestPicture).contains($0.size)
          && BlobFolder.isName($0.sha256)
      }
  }

  private static func isMoment(_ seconds: Double) -> Bool { seconds.isFinite && abs(seconds) < 1e11 }

  private static func isText(_ text: String?, _ bytes: ClosedRange<Int>) -> Bool {
    text.map { bytes.contains($0.utf8.count) } ?? true
  }

  /// Tells whether a text consists of letters, digits and hyphens of ASCII.
  private static func isWord(_ text: String, _ bytes: ClosedRange<Int>) -> Bool {
    bytes.contains(text.utf8.count) && text.utf8.allSatisfy { PercentEncoding.isAlphanumeric($0) || $0 == 0x2d }
  }
}

extension CodedError<ServerDomain>.Code {
  /// Another device has sent feedback with this ID.
  static var feedbackTaken: Self { ServerError.Code("feedback-id-taken", exit: .negative) }
}
