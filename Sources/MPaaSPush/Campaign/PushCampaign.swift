package import MPaaSProtocol
package import MPaaSSupport

/// A notification for many installations: whom it is for, its texts by language, and the times at which it may go out.
package struct PushCampaign: Sendable, Equatable {
  /// Limits of what is taken.
  package enum Limit {
    package static let bytes = 256 << 10
    package static let languages = 100
    package static let values = 200
    package static let constraints = 50
    package static let rate = 100_000.0
  }

  /// A name of the operator's own: the same campaign a second time is not sent a second time.
  package let id: String
  /// The topic of APNs, or the package's name for FCM.
  package let topic: String
  package var environment = PushEnvironment.production
  /// Conditions on installations, as constraints of flags; without any it is for all of the topic.
  package var audience: [JSONValue] = []
  /// The texts by the tags of their languages; none for notifications without.
  package var texts: [String: PushTemplate] = [:]
  /// The language of users whose own has no text.
  package var fallback: String?
  /// The values of names in texts, by language, `""` being that of all.
  package var values: [String: [String: String]] = [:]
  /// The parts of the payload beside the texts.
  package var parts = APNsAlert()
  package var type = APNsPushType.alert
  package var priority: Int?
  package var collapseID: String?
  /// Seconds since 1970: before the one nothing is sent, after the other nothing more.
  package var start: Double?
  package var expires: Double?
  /// The most notifications in a second; nil for no limit.
  package var rate: Double?
  package var quiet: QuietHours?
  /// The campaign as JSON, the same for the same campaign.
  package let source: String

  init(id: String, topic: String, source: String) {
    (self.id, self.topic, self.source) = (id, topic, source)
  }

  /// The languages that it has payloads in, in order; `""` where it has no texts.
  package var languages: [String] { texts.isEmpty ? [""] : texts.keys.sorted() }

  /// The place among `languages` of the one for a user of each locale.
  package var choice: @Sendable (_ locale: String?) -> Int {
    let languages = languages
    let names = Dictionary(languages.map { ($0.lowercased().replacing("_"), $0) }) { first, _ in first }
    let places = Dictionary(uniqueKeysWithValues: languages.enumerated().map { ($1, $0) })
    let usual = fallback.flatMap { places[$0] } ?? 0
    return { locale in LanguageChain.best(of: names, for: locale).flatMap { places[$0] } ?? usual }
  }
}

extension String {
  /// The text with hyphens in the place of a letter.
  fileprivate func replacing(_ letter: Character) -> String { String(map { $0 == letter ? "-" : $0 }) }
}
