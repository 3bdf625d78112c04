import MPaaSProfile
import MPaaSSupport
import MPaaSTerminal

/// The changes from one profile to another, those that are sure first.
struct ProfileDifferenceView: Presentable {
  private let difference: ProfileDifference
  private let confidence: Double
  private let passed: [String]
  private let isWhole: Bool
  private let limit: Int

  /// - Parameters:
  ///   - passed: The limits that are passed.
  ///   - isWhole: Tells whether changes are shown that are not sure.
  init(_ difference: ProfileDifference, confidence: Double, passed: [SlowdownLimit], isWhole: Bool, limit: Int) {
    self.difference = difference
    self.confidence = confidence
    self.passed = passed.map(\.text)
    self.isWhole = isWhole
    self.limit = limit
  }

  var exit: ExitStatus { passed.isEmpty ? .done : .negative }

  private var unit: SampleUnit { difference.type.unit }

  private var shown: [ProfileDifference.Entry] {
    difference.entries.filter { isWhole || $0.own.isSure || $0.total.isSure }
  }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    document.line(headline(catalogue))
    let shown = shown
    if shown.isEmpty {
      let values = ["count": "\(difference.entries.count)", "confidence": Self.plain(confidence)]
      document.line(StyledText(catalogue.text("text.perf-diff-none", values), .faint))
    } else {
      document.table(table(shown.prefix(limit), catalogue))
      if shown.count > limit {
        document.line(
          StyledText(catalogue.text("text.perf-diff-more", ["count": "\(shown.count - limit)"]), .faint))
      }
    }
    for limit in passed {
      document.line(StyledText(catalogue.text("text.perf-diff-passed", ["limit": limit]), .bad))
    }
    return document
  }

  private func headline(_ catalogue: Catalogue) -> StyledText {
    let whole = difference.whole
    let values = [
      "before": WeightText.text(whole.before, unit), "after": WeightText.text(whole.after, unit),
      "growth": whole.growth.map(WeightText.growth) ?? "–", "interval": interval(whole),
      "samples": "\(difference.samples.before)", "other": "\(difference.samples.after)",
      "confidence": Self.plain(confidence),
    ]
    let key = difference.comparesShares ? "text.perf-diff-shares" : "text.perf-diff-whole"
    let role: TextRole = difference.comparesShares || !whole.isSure ? .plain : whole.change > 0 ? .warning : .good
    return StyledText(catalogue.text(key, values), role)
  }

  private func interval(_ side: ProfileDifference.Side) -> String {
    let (low, high) = (Self.whole(side.interval.low), Self.whole(side.interval.high))
    return "\(WeightText.change(low, unit)) … \(WeightText.change(high, unit))"
  }

  private static func whole(_ value: Double) -> Int64 {
    Int64(exactly: value.rounded()) ?? (value > 0 ? .max : .min)
  }

  private static func plain(_ value: Double) -> String {
    value == value.rounded() ? "\(Int(value))" : "\(value)"
  }

  private func table(_ entries: ArraySlice<ProfileDifference.Entry>, _ catalogue: Catalogue) -> Table {
    func heading(_ key: String) -> String { catalogue.text("text.perf-diff-\(key)") }
    let columns = [
      Table.Column(catalogue.text("text.perf-function")), Table.Column(heading("before"), isNumeric: true),
      Table.Column(heading("after"), isNumeric: true), Table.Column(heading("change"), isNumeric: true),
      Table.Column(heading("interval"), isNumeric: true), Table.Column(heading("total"), isNumeric: true),
      Table.Column(catalogue.text("text.perf-image"), isOptional: true),
    ]
    let rows = entries.map { entry in
      [
        StyledText(entry.name, .function), StyledText(WeightText.text(entry.own.before, unit), .number),
        StyledText(WeightText.text(entry.own.after, unit), .number), change(entry.own),
        StyledText(interval(entry.own), .faint), change(entry.total), StyledText(entry.image, .path),
      ]
    }
    return Table(columns: columns, rows: rows)
  }

  private func change(_ side: ProfileDifference.Side) -> StyledText {
    let role: TextRole = side.isSure ? side.change > 0 ? .bad : .good : .faint
    return StyledText(WeightText.change(side.change, unit), role)
  }
}

extension ProfileDifferenceView {
  private enum CodingKeys: String, CodingKey {
    case type, unit, confidence, shares, samplesBefore, samplesAfter, whole, functions, passed
  }

  private struct Side: Encodable {
    let before, after, change: Int64
    let low, high: Double
    let growth: Double?
    let sure: Bool

    init(_ side: ProfileDifference.Side) {
      (before, after, change) = (side.before, side.after, side.change)
      (low, high) = (side.interval.low, side.interval.high)
      growth = side.growth
      sure = side.isSure
    }
  }

  private struct Entry: Encodable {
    let function: String
    let image: String?
    let own, total: Side
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(difference.type.name, forKey: .type)
    try container.encode(unit.name, forKey: .unit)
    try container.encode(confidence, forKey: .confidence)
    try container.encode(difference.comparesShares, forKey: .shares)
    try container.encode(difference.samples.before, forKey: .samplesBefore)
    try container.encode(difference.samples.after, forKey: .samplesAfter)
    try container.encode(Side(difference.whole), forKey: .whole)
    let entries = shown.map { entry in
      Entry(
        function: entry.name, image: entry.image.isEmpty ? nil : entry.image, own: Side(entry.own),
        total: Side(entry.total))
    }
    try container.encode(entries, forKey: .functions)
    try container.encode(passed, forKey: .passed)
  }
}
