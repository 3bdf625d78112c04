import MPaaSProtocol
import MPaaSSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A rule as the server has it, secrets included.
struct AlertRule: Sendable, Equatable {
  var id: String
  var app: String
  var name: String
  var when: AlertWhen
  var to: [AlertTarget]
  var isEnabled: Bool
  var author: String
  /// Seconds since 1970.
  var created: Double

  /// The rule as others see it: without secrets but those that were made just now.
  func entry(firing: Int64, tells: Bool = false) -> AlertEntry {
    var entry = AlertEntry(
      id: id, app: app, name: name, when: when, to: to, isEnabled: isEnabled, firing: firing, created: created)
    if !tells { for place in entry.to.indices { entry.to[place].secret = nil } }
    return entry
  }
}

extension AlertWhen {
  /// The word of the condition; nil where there is not exactly one.
  var word: String? {
    let words = [
      new.map { _ in "new" }, regressed.map { _ in "regressed" }, count.map { _ in "count" },
      users.map { _ in "users" },
      crashFreeBelow.map { _ in "crash_free_below" }, adoption.map { _ in "adoption" },
      quota.map { _ in "quota" },
    ].compactMap(\.self)
    return words.count == 1 ? words.first : nil
  }
}

/// The check of wishes for rules.
enum AlertRules {
  private static let mostTargets = 20
  private static let longestName = 200
  private static let longestMinutes: Int64 = 1440
  private static let mostHours: Int64 = 720

  /// The rule that a wish makes of another, or of nothing.
  ///
  /// - Throws: `alert-rule` naming the field, `webhook-address`.
  static func changed(_ rule: AlertRule, by wish: AlertWish, allowsPrivate: Bool) throws(ServerError) -> AlertRule {
    var rule = rule
    if let name = wish.name { rule.name = name }
    if let when = wish.when { rule.when = when }
    if let to = wish.to { rule.to = try to.map { target throws(ServerError) in try checked(target, allowsPrivate) } }
    if let enabled = wish.enabled { rule.isEnabled = enabled }
    guard (1...longestName).contains(rule.name.utf8.count), !rule.name.contains(where: \.isNewline) else {
      throw wrong("name")
    }
    guard (1...mostTargets).contains(rule.to.count) else { throw wrong("to") }
    try check(rule.when)
    return rule
  }

  private static func check(_ when: AlertWhen) throws(ServerError) {
    guard when.word != nil else { throw wrong("when") }
    for (name, count) in [("count", when.count), ("users", when.users)] {
      guard let count else { continue }
      guard count.over >= 0 else { throw wrong("when.\(name).over") }
      guard (1...longestMinutes).contains(count.minutes) else { throw wrong("when.\(name).minutes") }
      guard count.issue.map({ Int64($0) != nil }) ?? true else { throw wrong("when.\(name).issue") }
    }
    if let free = when.crashFreeBelow {
      guard (0...1).contains(free.share) else { throw wrong("when.crash_free_below.share") }
      guard ["sessions", "users", nil].contains(free.of) else { throw wrong("when.crash_free_below.of") }
      guard (1...mostHours).contains(free.hours ?? 24) else { throw wrong("when.crash_free_below.hours") }
      guard free.least ?? 0 >= 0 else { throw wrong("when.crash_free_below.least") }
    }
    if let adoption = when.adoption, !(0...1).contains(adoption.over) { throw wrong("when.adoption.over") }
    if let quota = when.quota {
      guard (0...1).contains(quota.over) else { throw wrong("when.quota.over") }
      guard quota.period.map({ QuotaPeriod(rawValue: $0) != nil }) ?? true else { throw wrong("when.quota.period") }
    }
  }

  private static func checked(_ target: AlertTarget, _ allowsPrivate: Bool) throws(ServerError) -> AlertTarget {
    var target = target
    guard (target.webhook == nil) != (target.mail == nil) else { throw wrong("to") }
    guard ["en", "zh-Hans", nil].contains(target.language) else { throw wrong("to.language") }
    if let mail = target.mail {
      guard MailAddress.isOne(mail), target.form == nil, target.secret == nil else { throw wrong("to.mail") }
      return target
    }
    let address = try WebhookAddress(target.webhook ?? "", allowsPrivate: allowsPrivate)
    target.webhook = address.url
    guard let form = AlertForm(rawValue: target.form ?? AlertForm.usual(for: address.host).rawValue) else {
      throw wrong("to.form")
    }
    target.form = form.rawValue
    if let secret = target.secret {
      guard (1...500).contains(secret.utf8.count), form != .json || WebhookSignature.key(secret) != nil else {
        throw wrong("to.secret")
      }
    } else if form == .json {
      target.secret = WebhookSignature.freshSecret()
    }
    return target
  }

  static func wrong(_ field: String) -> ServerError { ServerError(.alertRule, ["field": field]) }
}

/// Addresses of mail.
enum MailAddress {
  /// Tells whether a text is a plain address, which needs no quoting anywhere.
  static func isOne(_ text: String) -> Bool {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, text.utf8.count <= 254, let name = parts.first, let host = parts.last, !name.isEmpty else {
      return false
    }
    let signs = Array("!#$%&'*+-/=?^_`{|}~.".utf8)
    guard name.utf8.allSatisfy({ PercentEncoding.isAlphanumeric($0) || signs.contains($0) }) else { return false }
    let labels = host.split(separator: ".", omittingEmptySubsequences: false)
    return labels.allSatisfy { label in
      !label.isEmpty && label.utf8.allSatisfy { PercentEncoding.isAlphanumeric($0) || $0 == 0x2d }
    }
  }
}

/// JSON of values that the database keeps as text.
enum StoredJSON {
  static func text(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }

  static func value<Value: Decodable>(_ text: String, as _: Value.Type = Value.self) -> Value? {
    try? JSONDecoder().decode(Value.self, from: Data(text.utf8))
  }
}
