import MPaaSCrash
import MPaaSSupport
import MPaaSTerminal

extension CrashDifference {
  static func json(_ diff: GroupDiff, _ showsAll: Bool) -> JSONValue.Object {
    func side(_ tally: GroupTally) -> JSONValue {
      let times = tally.groups.values.flatMap(\.times)
      return [
        "reports": JSONValue(tally.reports), "groups": JSONValue(tally.groups.count),
        "first_seen": times.min().map { .string(CrashGroups.time($0)) } ?? .null,
        "last_seen": times.max().map { .string(CrashGroups.time($0)) } ?? .null,
      ]
    }
    let rows = diff.rows.filter { showsAll || $0.change != .unchanged }
    return [
      "kind": "groups", "a": side(diff.a), "b": side(diff.b),
      "groups": .array(
        rows.map { row in
          [
            "id": .string(row.group.id.description), "change": .string(row.change.rawValue),
            "count_a": JSONValue(row.countA), "count_b": JSONValue(row.countB),
            "share_a": JSONValue(row.shareA) ?? .null, "share_b": JSONValue(row.shareB) ?? .null,
            "sigma": JSONValue((row.sigma * 100).rounded() / 100) ?? .null,
            "function": row.group.function.map(JSONValue.string) ?? .null, "module": .string(row.group.module),
            "exception": .string(row.group.exception),
          ]
        }),
    ]
  }

  static func describe(
    _ diff: GroupDiff, _ showsAll: Bool, _ catalogue: Catalogue, _ document: inout Document
  ) {
    let rows = diff.rows.filter { showsAll || $0.change != .unchanged }
    if !rows.isEmpty {
      let names = [
        "diff-change", "group-id", "diff-a", "diff-b", "diff-share-a", "diff-share-b", "diff-sigma", "group-exception",
        "group-place",
      ]
      let numeric: Set<String> = ["diff-a", "diff-b", "diff-share-a", "diff-share-b", "diff-sigma"]
      let columns = names.map {
        Table.Column(
          catalogue.text("text.\($0)"), isNumeric: numeric.contains($0), isOptional: $0.hasPrefix("diff-share"))
      }
      document.table(Table(columns: columns, rows: rows.map { cells($0, catalogue) }))
      document.line()
    }
    let counts = ["a": "\(diff.a.reports)", "b": "\(diff.b.reports)"]
    document.line(StyledText(catalogue.text("text.diff-sides", counts), .emphasis))
  }

  private static func cells(_ row: GroupDiff.Row, _ catalogue: Catalogue) -> [StyledText] {
    let (key, role): (String, TextRole) =
      switch row.change {
      case .new: ("new", .bad)
      case .grown: ("grown", .bad)
      case .shrunk: ("shrunk", .good)
      case .gone: ("gone", .good)
      case .unchanged: ("unchanged", .faint)
      }
    return [
      StyledText(catalogue.text("text.diff-\(key)"), role), StyledText(row.group.id.description, .address),
      StyledText("\(row.countA)"), StyledText("\(row.countB)"), StyledText(percent(row.shareA)),
      StyledText(percent(row.shareB)), StyledText(sigma(row.sigma)), StyledText(row.group.exception, .bad),
      CrashGroups.place(row.group, catalogue),
    ]
  }

  /// `+4.0`.
  private static func sigma(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return (tenths < 0 ? "-" : "+") + "\(tenths.magnitude / 10).\(tenths.magnitude % 10)"
  }

  /// `12.5 %`.
  private static func percent(_ share: Double) -> String {
    let tenths = Int((share * 1000).rounded())
    return "\(tenths / 10).\(tenths % 10) %"
  }
}
