package import MPaaSJSON

/// A time that another is compared with: a literal one, or one that is counted from now.
package struct DateTimePattern: Sendable {
  package enum Comparison: String, Sendable {
    case before
    case after
    case equal = "equalToDateTime"
  }

  enum Expected: Sendable {
    case literal(MockTime)
    case now(Int, TimeUnit)
  }

  package let comparison: Comparison
  let expected: Expected
  private let source: JSONNode
  private let format: String?
  private let truncatesExpected: TimeTruncation?
  private let truncatesActual: TimeTruncation?
  private let truncatesLast: Bool
  private let offset: (Int, TimeUnit)?

  init(_ word: String, _ value: StubReader, _ reader: StubReader) throws(StubProblem) {
    guard let comparison = Comparison(rawValue: word) else { throw value.problem("is no comparison") }
    self.comparison = comparison
    guard let expected = Self.expected(try value.string()) else {
      throw value.problem("is neither a date and time nor an expression as: now +3 days")
    }
    self.expected = expected
    format = try reader.text("actualFormat")
    truncatesExpected = try Self.truncation(reader["truncateExpected"])
    truncatesActual = try Self.truncation(reader["truncateActual"])
    truncatesLast = try reader.flag("applyTruncationLast") ?? false
    if let amount = reader["expectedOffset"] {
      let unit = TimeUnit(word: try reader.text("expectedOffsetUnit") ?? "seconds")
      guard let unit else { throw reader.problem("expectedOffsetUnit is no unit of time") }
      offset = (try amount.whole(-1_000_000_000...1_000_000_000), unit)
    } else {
      offset = nil
    }
    source = reader.node
  }

  private static func expected(_ text: String) -> Expected? {
    let words = text.lowercased().split(separator: " ")
    guard words.first == "now" else { return MockTime(text).map { .literal($0) } }
    guard words.count > 1 else { return .now(0, .seconds) }
    // The sign may stand apart.
    let joined = words.dropFirst()
    let number = joined.count == 3 ? joined.dropLast().joined() : String(joined.first ?? "")
    guard joined.count >= 2, let amount = Int(number), abs(amount) < 1_000_000_000,
      let unit = joined.last.flatMap({ TimeUnit(word: $0) })
    else { return nil }
    return .now(amount, unit)
  }

  private static func truncation(_ reader: StubReader?) throws(StubProblem) -> TimeTruncation? {
    guard let reader else { return nil }
    guard let place = TimeTruncation(word: try reader.string()) else { throw reader.problem("is no truncation") }
    return place
  }

  package var document: JSONNode { source }

  /// Tells whether a text is such a time; nil where it is none at all.
  func matches(_ text: String, now: Double) -> Bool? {
    guard var actual = actual(text), let expected = expected(at: now) else { return nil }
    if let truncatesActual { actual = actual.truncated(to: truncatesActual) }
    // A time without a zone is held against what a clock on the wall shows there.
    let (one, other) = expected.offset == nil ? (actual.wall, expected.wall) : (actual.seconds, expected.seconds)
    return switch comparison {
    case .before: one < other
    case .after: one > other
    case .equal: one == other
    }
  }

  private func actual(_ text: String) -> MockTime? {
    switch format {
    case nil: MockTime(text)
    case "epoch": Double(text).flatMap { $0.isFinite ? MockTime(seconds: $0 / 1000) : nil }
    case "unix": Double(text).flatMap { $0.isFinite ? MockTime(seconds: $0) : nil }
    case let format?: JavaDateFormat(format).time(text)
    }
  }

  private func expected(at now: Double) -> MockTime? {
    var time: MockTime?
    switch expected {
    case .literal(let literal): time = literal
    case .now(let amount, let unit):
      let base = MockTime(seconds: now)
      time =
        truncatesLast
        ? base.moved(by: amount, unit) : (base.truncated(orNot: truncatesExpected)).moved(by: amount, unit)
      if truncatesLast { time = time?.truncated(orNot: truncatesExpected) }
      return time
    }
    if !truncatesLast { time = time?.truncated(orNot: truncatesExpected) }
    if let offset { time = time?.moved(by: offset.0, offset.1) }
    return truncatesLast ? time?.truncated(orNot: truncatesExpected) : time
  }
}

extension MockTime {
  fileprivate func truncated(orNot place: TimeTruncation?) -> MockTime { place.map { truncated(to: $0) } ?? self }
}
