import MPaaSProtocol
import MPaaSSupport
import MPaaSTimeZones

extension PushCampaign {
  /// Reads a campaign of JSON, in which every member is one that a campaign has.
  ///
  /// - Throws: `push-campaign-malformed` with the member, and what the payloads throw.
  package init(_ bytes: UnsafeRawBufferPointer) throws(PushError) {
    guard bytes.count <= Limit.bytes else { throw Self.wrong("\(Limit.bytes >> 10) KiB") }
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue(reading: bytes, by: JSONRules(depth: 32, isStrict: false, refusesBrokenText: true))
    } catch {
      throw Self.wrong("JSON, \(error.line):\(error.column)")
    }
    let reader = try CampaignMembers(value, "", Self.members)
    let (id, topic) = (try reader.needed("id") { $0.string }, try reader.needed("topic") { $0.string })
    guard Self.isID(id) else { throw Self.wrong("id") }
    guard Self.isWord(topic) else { throw Self.wrong("topic") }
    self.init(id: id, topic: topic, source: value.line)
    environment = try reader.value("environment") { $0.string.flatMap(PushEnvironment.init(rawValue:)) } ?? .production
    audience = try reader.value("audience") { $0.array } ?? []
    guard audience.count <= Limit.constraints else { throw Self.wrong("audience") }
    try readTexts(reader)
    try readParts(reader)
    try readTimes(reader)
    _ = try notifications()
  }

  private static let members: Set<String> = [
    "id", "topic", "environment", "audience", "texts", "fallback", "values", "badge", "sound", "category", "thread",
    "content_available", "mutable", "data", "type", "priority", "collapse_id", "start", "expires", "rate", "quiet",
  ]

  /// Tells whether a text names a campaign: letters, digits and `-._` of ASCII, so that it stands in a path as is.
  package static func isID(_ text: String) -> Bool {
    (1...100).contains(text.utf8.count) && text.utf8.first.map { PercentEncoding.isAlphanumeric($0) } ?? false
      && text.utf8.allSatisfy { PercentEncoding.isAlphanumeric($0) || [0x2d, 0x2e, 0x5f].contains($0) }
  }

  private static func isWord(_ text: String) -> Bool {
    (1...255).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7e).contains($0) }
  }

  private mutating func readTexts(_ reader: CampaignMembers) throws(PushError) {
    for (language, value) in try reader.value("texts", { $0.object }) ?? [:] {
      guard Self.isTag(language) else { throw Self.wrong("texts.\(language)") }
      let text = try CampaignMembers(value, "texts.\(language).", ["title", "subtitle", "body"])
      texts[language] = PushTemplate(
        title: try text.value("title") { $0.string }, subtitle: try text.value("subtitle") { $0.string },
        body: try text.value("body") { $0.string })
      guard let body = texts[language], body != PushTemplate() else { throw Self.wrong("texts.\(language)") }
    }
    guard texts.count <= Limit.languages else { throw Self.wrong("texts") }
    fallback = try reader.value("fallback") { $0.string }
    // A user whose language has no text must not get one by chance.
    guard fallback.map({ texts[$0] != nil }) ?? (texts.count <= 1) else { throw Self.wrong("fallback") }
    fallback = fallback ?? texts.keys.first
    for (name, value) in try reader.value("values", { $0.object }) ?? [:] {
      if let text = value.string {
        values[name] = ["": text]
      } else {
        guard let texts = value.object, texts.allSatisfy({ Self.isTag($0.key) && $0.value.string != nil }) else {
          throw Self.wrong("values.\(name)")
        }
        values[name] = Dictionary(texts.map { ($0.key, $0.value.string ?? "") }) { $1 }
      }
    }
    guard values.count <= Limit.values else { throw Self.wrong("values") }
  }

  /// Tells whether a text can be the tag of a language.
  private static func isTag(_ text: String) -> Bool {
    (2...35).contains(text.utf8.count)
      && text.utf8.allSatisfy { PercentEncoding.isAlphanumeric($0) || $0 == 0x2d || $0 == 0x5f }
  }

  private mutating func readParts(_ reader: CampaignMembers) throws(PushError) {
    parts.badge = try reader.value("badge") { $0.integer(UInt32.self).map { Int($0) } }
    (parts.sound, parts.category) = (
      try reader.value("sound") { $0.string }, try reader.value("category") { $0.string }
    )
    parts.threadID = try reader.value("thread") { $0.string }
    parts.isContentAvailable = try reader.value("content_available") { $0.bool } ?? false
    parts.isMutable = try reader.value("mutable") { $0.bool } ?? false
    parts.custom = try reader.value("data") { $0.object } ?? [:]
    guard parts.custom["aps"] == nil else { throw Self.wrong("data.aps") }
    type = try reader.value("type") { $0.string.flatMap(APNsPushType.init(rawValue:)) } ?? .alert
    priority = try reader.value("priority") { $0.integer(Int.self) }
    collapseID = try reader.value("collapse_id") { $0.string }
    let saysSomething = !texts.isEmpty || parts.badge != nil || parts.isContentAvailable || !parts.custom.isEmpty
    guard saysSomething else { throw Self.wrong("texts") }
  }

  private mutating func readTimes(_ reader: CampaignMembers) throws(PushError) {
    start = try reader.value("start") { CampaignTime.seconds($0) }
    expires = try reader.value("expires") { CampaignTime.seconds($0) }
    if let expires, expires <= start ?? 0 { throw Self.wrong("expires") }
    rate = try reader.value("rate") { $0.double.flatMap { (0.01...Limit.rate).contains($0) ? $0 : nil } }
    guard let value = reader.members["quiet"] else { return }
    let hours = try CampaignMembers(value, "quiet.", ["from", "to", "timezone"])
    let from = try hours.needed("from") { $0.string.flatMap(QuietHours.minute) }
    let to = try hours.needed("to") { $0.string.flatMap(QuietHours.minute) }
    let zone = try hours.value("timezone") { $0.string.flatMap { TimeZoneRules.isName($0) ? $0 : nil } } ?? "UTC"
    guard from != to else { throw Self.wrong("quiet.to") }
    quiet = QuietHours(start: from, end: to, zone: zone)
  }
}

/// The members of an object of a campaign, none of which is unknown.
struct CampaignMembers {
  let members: JSONValue.Object
  private let path: String

  init(_ value: JSONValue, _ path: String, _ known: Set<String>) throws(PushError) {
    guard let object = value.object else {
      throw PushCampaign.wrong(path.isEmpty ? value.kind : String(path.dropLast()))
    }
    if let other = object.first(where: { !known.contains($0.key) }) {
      throw PushCampaign.wrong(path + other.key.prefix(80))
    }
    members = object
    self.path = path
  }

  /// The value of a member; nil where it is missing.
  ///
  /// - Parameter read: The value as it is wanted; nil for one that cannot be.
  func value<Value>(_ name: String, _ read: (JSONValue) -> Value?) throws(PushError) -> Value? {
    guard let member = members[name] else { return nil }
    guard let value = read(member) else { throw PushCampaign.wrong(path + name) }
    return value
  }

  func needed<Value>(_ name: String, _ read: (JSONValue) -> Value?) throws(PushError) -> Value {
    guard let value = try value(name, read) else { throw PushCampaign.wrong(path + name) }
    return value
  }
}

/// A moment as campaigns have it: seconds since 1970, or `2026-12-01T09:00:00+08:00`.
enum CampaignTime {
  static func seconds(_ value: JSONValue) -> Double? {
    if let number = value.double { return (0..<1e11).contains(number) ? number : nil }
    guard let text = value.string else { return nil }
    let bytes = Array(text.utf8)
    guard bytes.count >= 20, bytes.count <= 25, [0x54, 0x74, 0x20].contains(bytes[10]) else { return nil }
    func number(_ range: Range<Int>) -> Int? {
      let digits = bytes[range]
      guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
      return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
    guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10), let hour = number(11..<13),
      let minute = number(14..<16), let second = number(17..<19), bytes[4] == 0x2d, bytes[7] == 0x2d,
      bytes[13] == 0x3a, bytes[16] == 0x3a, hour < 24, minute < 60, second < 61,
      let date = CivilDate(year: year, month: month, day: day),
      let zone = TimeZoneRules(fixed: String(decoding: bytes[19...], as: UTF8.self).uppercased())
    else { return nil }
    let local = date.daysSince1970 * 86_400 + hour * 3600 + minute * 60 + second
    let moment = Double(local - zone.offset(at: 0))
    return moment >= 0 ? moment : nil
  }
}
