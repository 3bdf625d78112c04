package import MPaaSCrashReport
import MPaaSSupport

/// The facts of reports that are no crashes beside stacks: who used the memory, how long the program hung, what the
/// limit was.
///
/// They stand in members that the model has no place for; of a crash nothing is told here.
package struct KindFacts: Sendable {
  package let lines: [ReportLine]
  package var isEmpty: Bool { lines.isEmpty }

  private static let mostProcesses = 20
  private static let mostFacts = 60

  package init(_ report: CrashReport) {
    guard report.kind != .crash else {
      lines = []
      return
    }
    var lines = Self.told(AppleCrashText.original(of: report)) + Self.processes(report.extra)
    lines += Self.facts(report.extra, without: lines.isEmpty ? [] : ["processes"])
    self.lines = lines
  }

  /// The facts of a report of `spindump` beside its stacks, in its own words and order.
  private static func told(_ text: String?) -> [ReportLine] {
    guard let text else { return [] }
    var seen: Set<String> = []
    // Further processes below have the same rows again.
    let fields = AppleCrashLayout(Array(text.utf8)).fields.filter {
      keys.contains($0.key) && seen.insert($0.key).inserted
    }
    return fields.compactMap { field in
      field.value.split(whereSeparator: \.isNewline).first.map { value in
        var line = ReportLine(field.key + ":", .heading)
        line.pad(to: 36)
        line.append(String(value))
        return line
      }
    }
  }

  private static let keys: Set<String> = [
    "Event", "Reason", "Action taken", "CPU", "CPU limit", "CPU used", "CPU duration", "Limit duration", "Writes",
    "Writes limit", "Writes caused", "Writes duration", "Duration", "Duration Sampled", "Steps", "End time", "Note",
    "Memory", "Footprint", "Advisory levels", "Free disk space",
  ]

  /// The processes of a memory report, those with most pages first.
  private static func processes(_ extra: JSONValue.Object) -> [ReportLine] {
    let pageSize: UInt64 = extra["memoryStatus"]?.object?["pageSize"]?.integer() ?? 16_384
    let rows = (extra["processes"]?.array ?? []).compactMap(\.object).compactMap { process in
      process["name"]?.string.map { name in
        (
          name: name, pages: process["rpages"]?.integer(UInt64.self) ?? 0, reason: process["reason"]?.string,
          pid: process["pid"]?.line
        )
      }
    }.sorted { ($1.pages, $0.name) < ($0.pages, $1.name) }
    return rows.prefix(mostProcesses).map { row in
      let bytes = row.pages.multipliedReportingOverflow(by: pageSize)
      let size = bytes.overflow ? "?" : ByteCount(bytes.partialValue).description
      var line = ReportLine(String(repeating: " ", count: max(10 - size.count, 0)) + size, .lineNumber)
      line.append("  " + row.name, row.reason == nil ? .plain : .crashed)
      if let pid = row.pid { line.append(" [\(pid)]", .faint) }
      if let reason = row.reason { line.append("  " + reason, .crashed) }
      return line
    }
  }

  /// The numbers and words of the members, those of objects by their paths.
  private static func facts(_ extra: JSONValue.Object, without: Set<String>) -> [ReportLine] {
    var rows: [(String, String)] = []
    for (name, value) in extra.sorted(by: { $0.key < $1.key }) where !without.contains(name) {
      if let object = value.object {
        for (inner, value) in object.sorted(by: { $0.key < $1.key }) {
          if let text = text(value) { rows.append(("\(name).\(inner)", text)) }
        }
      } else if let text = text(value) {
        rows.append((name, text))
      }
    }
    return rows.prefix(mostFacts).map { name, value in
      var line = ReportLine(name + ":", .heading)
      line.pad(to: 36)
      line.append(value)
      return line
    }
  }

  private static func text(_ value: JSONValue) -> String? {
    switch value {
    case .object, .null: nil
    case .array(let elements):
      elements.allSatisfy { $0.array == nil && $0.object == nil } && !elements.isEmpty && elements.count <= 16
        ? elements.compactMap(text).joined(separator: ", ") : nil
    case .string(let text):
      text.isEmpty || text.utf8.count > 300 ? nil : text.split(whereSeparator: \.isNewline).joined(separator: " ")
    case .bool, .unsigned, .negative, .number: value.line
    }
  }
}
