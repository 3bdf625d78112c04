import MPaaSTimeZones

/// The offsets of time zones, by the names that templates have for them.
enum ZoneOffset {
  private static let zones = TimeZoneTable()

  /// Seconds east of UTC in a zone at a time; nil for an unknown zone.
  static func seconds(of zone: String, at time: Double) -> Int? {
    if zone == "Z" || zone == "UTC" || zone == "GMT" { return 0 }
    var cursor = TextCursor(zone[...])
    _ = cursor.take("UTC") || cursor.take("GMT")
    if let offset = cursor.offset(), cursor.isAtEnd { return offset }
    guard let second = Int(exactly: time.rounded(.down)) else { return nil }
    return zones.rules(zone)?.offset(at: second)
  }
}
