import ArgumentParser
import CommandKit
import MPaaSScan
import MPaaSSupport
import MPaaSTerminal

extension ScanCommand {
  /// `mpaas scan diff OLD NEW`: what a version changed.
  struct Diff: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("diff", key: "scan.diff") }

    @Argument(help: .text("command.scan.diff.old", valueName: "old"), completion: .file())
    var old: String

    @Argument(help: .text("command.scan.diff.new", valueName: "new"), completion: .file())
    var new: String

    @Option(
      name: .customLong("fail-if"), help: .text("command.scan.diff.fail-if"),
      completion: .list(DifferenceLimit.Kind.allCases.map(\.rawValue)))
    var failIf: [DifferenceLimits] = []

    @OptionGroup var modules: ScanModuleOptions

    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> DifferenceView {
      var scan = Scan()
      scan.modules = try modules.known(in: context)
      let difference = ScanDifference(from: try scan.report(of: [old]), to: try scan.report(of: [new]))
      let passed = failIf.flatMap(\.limits).filter { $0.limit.isPassed(by: difference) }
      return DifferenceView(difference, passed: passed.map(\.text))
    }
  }
}

/// Limits as an option lists them, with commas between.
struct DifferenceLimits: ExpressibleByArgument {
  let limits: [(text: String, limit: DifferenceLimit)]

  init?(argument: String) {
    var limits: [(text: String, limit: DifferenceLimit)] = []
    for word in argument.split(separator: ",") {
      guard let limit = DifferenceLimit(word) else { return nil }
      limits.append((String(word), limit))
    }
    guard !limits.isEmpty else { return nil }
    self.limits = limits
  }
}

/// The changes of a version for a person, and as JSON.
struct DifferenceView: Presentable {
  private let difference: ScanDifference
  private let passed: [String]
  /// Lines of each table; JSON has all.
  private static let most = 12

  init(_ difference: ScanDifference, passed: [String]) {
    self.difference = difference
    self.passed = passed
  }

  var exit: ExitStatus { passed.isEmpty ? .done : .negative }

  func encode(to encoder: any Encoder) throws {
    var members = difference.json.object ?? [:]
    members["passed"] = .array(passed.map(JSONValue.string))
    try JSONValue.object(members).encode(to: encoder)
  }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    let total = difference.total
    let values = ["old": "\(total.old)", "new": "\(total.new)", "change": Self.signed(total.change)]
    document.line(StyledText(catalogue.text("text.scan-diff-size", values), .emphasis))
    if difference.isEmpty { document.line(StyledText(catalogue.text("text.scan-diff-none"), .good)) }
    let tables = [
      ("modules", difference.modules), ("images", difference.images), ("segments", difference.segments),
      ("sections", difference.sections),
    ]
    for (key, changes) in tables where !changes.isEmpty {
      document.table(table(catalogue.text("text.scan-diff-\(key)"), changes, catalogue))
    }
    let names = [
      ("permissions", difference.permissions), ("entitlements", difference.entitlements),
      ("schemes", difference.schemes), ("parts", difference.parts), ("findings", difference.findings),
    ]
    for (key, change) in names where !change.isEmpty {
      document.line(StyledText(catalogue.text("text.scan-diff-\(key)"), .heading))
      for name in change.removed { document.line(StyledText("- \(name)", .faint)) }
      for name in change.added { document.line(StyledText("+ \(name)", .warning)) }
    }
    for loss in difference.losses {
      let values = ["image": loss.image, "fact": loss.fact, "old": loss.old, "new": loss.new]
      document.line(StyledText(catalogue.text("text.scan-diff-lost", values), .bad))
    }
    for limit in passed {
      document.line(StyledText(catalogue.text("text.scan-diff-passed", ["limit": limit]), .bad))
    }
    return document
  }

  private func table(_ heading: String, _ changes: [ScanDifference.SizeChange], _ catalogue: Catalogue) -> Table {
    let columns = [
      Table.Column(heading), Table.Column(catalogue.text("text.scan-diff-old"), isNumeric: true),
      Table.Column(catalogue.text("text.scan-diff-new"), isNumeric: true),
      Table.Column(catalogue.text("text.scan-diff-change"), isNumeric: true),
    ]
    let rows = changes.prefix(Self.most).map { change in
      [
        StyledText(change.name, .path), StyledText("\(change.old)", .number), StyledText("\(change.new)", .number),
        StyledText(Self.signed(change.change), change.change > 0 ? .warning : .good),
      ]
    }
    return Table(columns: columns, rows: rows)
  }

  private static func signed(_ number: Int64) -> String { number > 0 ? "+\(number)" : "\(number)" }
}
