import MPaaSSupport

extension PushCampaign {
  /// The notifications for APNs, one for each of `languages`.
  ///
  /// - Throws: `push-campaign-too-large` with the language, `push-campaign-value`, `push-header`.
  package func notifications() throws(PushError) -> [APNsNotification] {
    var all: [APNsNotification] = []
    for (language, text) in try filledTexts() {
      var parts = parts
      (parts.title, parts.subtitle, parts.body) = (text.title, text.subtitle, text.body)
      var notification = APNsNotification(payload: parts.payload, topic: topic)
      (notification.type, notification.priority, notification.collapseID) = (type, priority, collapseID)
      notification.expiration = expires.map { UInt64(max(0, min($0, 1e12))) }
      do throws(PushError) { try notification.check() } catch { throw Self.named(error, language) }
      all.append(notification)
    }
    return all
  }

  /// The messages for FCM, one for each of `languages`.
  ///
  /// - Throws: `push-campaign-too-large` with the language, `push-campaign-value`, and `push-campaign-malformed` for data
  ///   that are no texts.
  package func messages() throws(PushError) -> [FCMMessage] {
    var data: [String: String] = [:]
    for (name, value) in parts.custom {
      guard let text = value.string else { throw Self.wrong("data.\(name)") }
      data[name] = text
    }
    var all: [FCMMessage] = []
    for (language, text) in try filledTexts() {
      var message = FCMMessage()
      (message.title, message.body, message.data, message.collapseKey) = (text.title, text.body, data, collapseID)
      do throws(PushError) { try message.check() } catch { throw Self.named(error, language) }
      all.append(message)
    }
    return all
  }

  private func filledTexts() throws(PushError) -> [(language: String, text: PushTemplate)] {
    var filled: [(String, PushTemplate)] = []
    for language in languages {
      let text = texts[language] ?? PushTemplate()
      filled.append((language, try text.filled { value($0, in: language) }))
    }
    return filled
  }

  private func value(_ name: String, in language: String) -> String? {
    guard let values = values[name] else { return nil }
    let names = Dictionary(values.keys.map { ($0.lowercased(), $0) }) { first, _ in first }
    let tag = LanguageChain.best(of: names, for: language) ?? fallback.flatMap { values[$0] == nil ? nil : $0 } ?? ""
    return values[tag]
  }

  /// The error with the language whose payload is too large.
  private static func named(_ error: PushError, _ language: String) -> PushError {
    guard error.code == .payloadTooLarge else { return error }
    return PushError(.campaignTooLarge, error.values.merging(["language": language]) { own, _ in own })
  }

  static func wrong(_ field: String) -> PushError { PushError(.campaignMalformed, ["field": field]) }
}
