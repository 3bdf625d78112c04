import MPaaSCrash
import MPaaSSupport
import MPaaSTerminal

extension CrashDifference {
  static func json(_ diff: ReportDiff) -> JSONValue.Object {
    func values(_ values: [ReportDiff.Values]) -> JSONValue {
      .array(
        values.map {
          [
            "name": .string($0.name), "a": $0.a.map(JSONValue.string) ?? .null,
            "b": $0.b.map(JSONValue.string) ?? .null,
          ]
        })
    }
    func call(_ call: ReportDiff.Call?) -> JSONValue {
      guard let call else { return .null }
      return [
        "function": call.name.map(JSONValue.string) ?? .null, "module": .string(call.module),
        "place": call.place.map(JSONValue.string) ?? .null,
      ]
    }
    return [
      "kind": "reports", "facts": values(diff.facts), "images": values(diff.images),
      "frames": .array(diff.frames.map { ["change": .string($0.change.rawValue), "a": call($0.a), "b": call($0.b)] }),
      "threads": ["a": JSONValue(diff.threads.a), "b": JSONValue(diff.threads.b)],
      "groups": ["a": .string(diff.groups.a.description), "b": .string(diff.groups.b.description)],
    ]
  }

  static func describe(_ diff: ReportDiff, _ catalogue: Catalogue, _ document: inout Document) {
    let groups = ["group": diff.groups.a.description, "a": diff.groups.a.description, "b": diff.groups.b.description]
    let isOne = diff.groups.a == diff.groups.b
    document.line(
      StyledText(
        catalogue.text(isOne ? "text.diff-same-group" : "text.diff-other-group", groups), isOne ? .good : .bad))
    if !diff.facts.isEmpty {
      document.line()
      values(diff.facts, "text.diff-facts", catalogue, &document) { catalogue.text("text.digest-\($0)") }
    }
    if diff.frames.contains(where: { $0.change != .same }) {
      document.line()
      document.line(StyledText(catalogue.text("text.diff-stack"), .heading))
      for frame in diff.frames { document.line(line(frame)) }
    }
    if !diff.images.isEmpty {
      document.line()
      values(diff.images, "text.diff-images", catalogue, &document) { $0 }
    }
    if diff.threads.a != diff.threads.b {
      document.line()
      let counts = ["a": "\(diff.threads.a)", "b": "\(diff.threads.b)"]
      document.line(StyledText(catalogue.text("text.diff-threads", counts)))
    }
  }

  private static func values(
    _ values: [ReportDiff.Values], _ key: String, _ catalogue: Catalogue, _ document: inout Document,
    name: (String) -> String
  ) {
    let none = StyledText(catalogue.text("text.diff-absent"), .faint)
    let columns = [key, "text.diff-a", "text.diff-b"].map { Table.Column(catalogue.text($0)) }
    let rows = values.map { value in
      [
        StyledText(name(value.name)), value.a.map { StyledText(ReportLine($0).text, .bad) } ?? none,
        value.b.map { StyledText(ReportLine($0).text, .good) } ?? none,
      ]
    }
    document.table(Table(columns: columns, rows: rows))
  }

  /// `- Cart.add · Shop (Cart.swift:12)`, as line-oriented diffs have it.
  private static func line(_ frame: ReportDiff.Frame) -> StyledText {
    let (sign, role): (String, TextRole) =
      switch frame.change {
      case .same: ("  ", .plain)
      case .changed: ("~ ", .warning)
      case .added: ("+ ", .good)
      case .removed: ("- ", .bad)
      }
    let call = frame.b ?? frame.a
    var line = StyledText(sign + ReportLine(call?.name ?? "?").text, role)
    if let module = call?.module, !module.isEmpty { line.append(" · \(ReportLine(module).text)", .faint) }
    let places = [frame.a?.place, frame.b?.place].compactMap { $0 }
    if let first = places.first {
      let text =
        frame.change == .changed && places.count == 2 && places[0] != places[1]
        ? places.joined(separator: " → ") : first
      line.append(" (\(ReportLine(text).text))", .path)
    }
    return line
  }
}
