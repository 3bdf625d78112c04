import MPaaSSupport

/// Reads the text form of timelines, a statement a line.
struct TimelineReader {
  let file: String
  let profiles: ProfileCatalogue
  /// The line of the file where the text begins.
  var firstLine = 1
  var hasColumns = true
  /// The most steps that a timeline may have, `every` written out.
  static let limit = 100_000

  /// The span in which something is said to hold.
  enum Span: Equatable {
    case at(Duration)
    case from(Duration, to: Duration)
    case every(Duration, from: Duration?, until: Duration?)
  }

  /// One thing that a statement says.
  enum What: Equatable {
    case profile(NetworkProfile)
    /// No profile any more.
    case normal
    case toxics([Toxic])
  }

  /// A statement as it stands, before `every` is written out.
  struct Statement {
    var span: Span
    var what: What
    var duration: Duration?
    var place: Place
  }

  func timeline(_ text: String, name: String?) throws(NetworkError) -> Timeline {
    var timeline = Timeline(name: name ?? Self.name(of: file), steps: [])
    var statements: [Statement] = []
    // Not by characters: CR LF is one.
    let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let line = line.last == "\r" ? line.dropLast() : line
      var cursor = try PhraseCursor(String(line), file: file, line: index + firstLine, hasColumns: hasColumns)
      guard !cursor.isAtEnd else { continue }
      if cursor.take("repeat") {
        timeline.repeats = true
        try cursor.end("the end of the line")
      } else if cursor.take("length") {
        timeline.length = try cursor.duration()
        try cursor.end("the end of the line")
      } else if cursor.take("name") {
        timeline.name = try cursor.text("a name")
        try cursor.end("the end of the line")
      } else {
        statements += try Self.statements(&cursor, profiles)
      }
    }
    try add(statements, to: &timeline)
    return timeline
  }

  /// The last part of a path without its ending.
  static func name(of file: String) -> String {
    let last = file.split(separator: "/").last.map(String.init) ?? file
    return last.lastIndex(of: ".").map { $0 == last.startIndex ? last : String(last[..<$0]) } ?? last
  }

  // MARK: - Statements

  /// The statements of one line that stands somewhere in a file.
  func statements(_ text: String, line: Int) throws(NetworkError) -> [Statement] {
    var cursor = try PhraseCursor(text, file: file, line: line, hasColumns: false)
    return try Self.statements(&cursor, profiles)
  }

  private static func statements(
    _ cursor: inout PhraseCursor, _ profiles: ProfileCatalogue
  ) throws(NetworkError) -> [Statement] {
    let place = cursor.place
    let span = try span(&cursor)
    try cursor.expect(":")
    let (whats, duration) = try whats(&cursor, profiles)
    if duration != nil, case .from = span { throw cursor.unexpected("the end of the line") }
    return whats.map { Statement(span: span, what: $0, duration: duration, place: place) }
  }

  private static func span(_ cursor: inout PhraseCursor) throws(NetworkError) -> Span {
    if cursor.take("at") { return .at(try cursor.duration()) }
    if cursor.take("from") {
      let from = try cursor.duration()
      guard cursor.take("to") else { throw cursor.unexpected("`to` and a time") }
      let place = cursor.place
      let to = try cursor.duration()
      guard from < to else {
        throw NetworkError(
          .timelineBackwards, ["from": Quantity.text(from), "to": Quantity.text(to)], at: place)
      }
      return .from(from, to: to)
    }
    guard cursor.take("every") else {
      throw cursor.unexpected("`at TIME:`, `from TIME to TIME:`, `every TIME:`, `length TIME`, `name NAME` or `repeat`")
    }
    let place = cursor.place
    let period = try cursor.duration()
    guard period > .zero else {
      throw NetworkError(.quantityMalformed, ["value": "0", "examples": "`30s`"], at: place)
    }
    let from = cursor.take("from") ? try cursor.duration() : nil
    return .every(period, from: from, until: cursor.take("until") ? try cursor.duration() : nil)
  }

  /// Reads the conditions, with commas between, and how long.
  static func whats(
    _ cursor: inout PhraseCursor, _ profiles: ProfileCatalogue
  ) throws(NetworkError) -> ([What], Duration?) {
    var whats: [What] = []
    var toxics: [Toxic] = []
    repeat {
      if cursor.take("normal") {
        whats.append(.normal)
      } else if cursor.take("profile") {
        whats.append(.profile(try profile(&cursor, profiles)))
      } else {
        toxics += try ConditionPhrase.toxics(&cursor)
      }
    } while cursor.take(",")
    if !toxics.isEmpty { whats.append(.toxics(toxics)) }
    let duration = cursor.take("for") ? try cursor.duration() : nil
    try cursor.end("`,`, `for` and a time, or the end of the line")
    return (whats, duration)
  }

  private static func profile(
    _ cursor: inout PhraseCursor, _ profiles: ProfileCatalogue
  ) throws(NetworkError) -> NetworkProfile {
    let place = cursor.place
    let name = try cursor.text("the name of a profile")
    do throws(NetworkError) {
      let profile = try profiles.named(name)
      guard profile.timeline == nil else { throw NetworkError(.timelineNested, ["profile": profile.name]) }
      return profile
    } catch {
      throw NetworkError(error.code, error.values, at: place)
    }
  }
}

extension NetworkError.Code {
  /// A span that ends before it begins.
  package static var timelineBackwards: Self { malformed("net-timeline-backwards") }
  /// A profile that changes by itself, in a timeline.
  package static var timelineNested: Self { malformed("net-timeline-nested") }
  /// `every` without an end.
  package static var timelineEndless: Self { malformed("net-timeline-endless") }
  /// More steps than anybody means.
  package static var timelineLarge: Self { malformed("net-timeline-large") }
}
