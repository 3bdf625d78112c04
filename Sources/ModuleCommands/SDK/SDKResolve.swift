import ArgumentParser
import CommandKit
import MPaaSModules
import MPaaSSupport
import MPaaSTerminal

extension SDKCommand {
  /// `mpaas sdk resolve`: finds versions in a registry that one file holds.
  struct Resolve: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("resolve", key: "sdk.resolve") }

    @Argument(help: .text("command.sdk.resolve.file", valueName: "file"), completion: .file())
    var file: String

    @Option(name: .customLong("time-limit"), help: .text("command.sdk.resolve.time-limit", valueName: "seconds"))
    var timeLimit = 10.0

    @OptionGroup var common: CommonOptions

    /// Bytes of the largest file that is read.
    private static let limit = 32 << 20

    func run(in context: Context) async throws -> ResolvedFile {
      let bytes = try Bytes.reading(file == "-" ? "/dev/stdin" : file, limit: Self.limit)
      let name = file == "-" ? "stdin" : file
      guard timeLimit >= 0, timeLimit <= 1e9 else {
        throw Diagnostic("resolver-time-limit", ["value": String(timeLimit)], exit: .usage)
      }
      var input = try withExtendedLifetime(bytes) { () throws(ModuleError) in
        try ResolverFile(reading: bytes.buffer, file: name).input
      }
      if timeLimit > 0 {
        let end = ContinuousClock.now.advanced(by: .seconds(timeLimit))
        input.isOutOfTime = { ContinuousClock.now >= end }
      }
      return ResolvedFile(try ModuleResolver(input).resolve(), limit: timeLimit, Catalogue.current)
    }
  }
}

/// The outcome: versions, or why there are none, or that it is not known.
struct ResolvedFile: Presentable {
  struct Fix: Encodable {
    struct Change: Encodable {
      let action: String
      let module: String?
      let from: String?
      let to: String?
    }

    let text: String
    let changes: [Change]
  }

  private(set) var status = "solved"
  private(set) var versions: [String: String]?
  private(set) var explanation: [String]?
  private(set) var fixes: [Fix]?
  /// The state when the time was over: how many contradictions were met, and the modules in most of them.
  private(set) var contradictions: Int?
  private(set) var contested: [String]?

  init(_ resolution: Resolution, limit: Double, _ catalogue: Catalogue) {
    switch resolution {
    case .solved(let releases): versions = releases.mapValues(\.version.text)
    case .unsatisfiable(let conflict):
      status = "unsatisfiable"
      explanation = conflict.lines.map { catalogue.text($0.key, $0.values) }
      fixes = conflict.fixes.map { Fix($0, catalogue) }
    case .unknown(let search):
      status = "unknown"
      explanation = Self.lines(search, limit: limit, catalogue)
      contradictions = search.contradictions
      contested = search.contested
    }
  }

  private static func lines(_ search: UnfinishedResolution, limit: Double, _ catalogue: Catalogue) -> [String] {
    let values = [
      "seconds": limit.rounded() == limit ? String(Int(limit)) : String(limit),
      "contradictions": String(search.contradictions), "modules": search.contested.joined(separator: ", "),
    ]
    let lines = search.contested.isEmpty ? ["stopped", "longer"] : ["stopped", "contested", "longer"]
    return lines.map { catalogue.text("text.resolver-time-" + $0, values) }
  }

  var exit: ExitStatus { versions != nil ? .done : contested != nil ? .tryAgain : .negative }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    if let versions {
      document.line(StyledText(catalogue.text("text.resolver-solved", ["count": String(versions.count)])))
      for (name, version) in versions.sorted(by: { $0.key < $1.key }) {
        document.line(StyledText("  \(name) \(version)"))
      }
      return document
    }
    guard contested == nil else {
      for line in explanation ?? [] { document.line(StyledText(line)) }
      return document
    }
    document.line(StyledText(catalogue.text("text.resolver-unsatisfiable"), .bad))
    for line in explanation ?? [] { document.line("  " + StyledText(line)) }
    let fixes = fixes ?? []
    document.line(
      StyledText(catalogue.text(fixes.isEmpty ? "text.resolver-no-fix" : "text.resolver-fixes"), .good))
    for fix in fixes { document.line("  " + StyledText(catalogue.text("text.resolver-fix-item", ["fix": fix.text]))) }
    return document
  }
}

extension ResolvedFile.Fix {
  init(_ fix: ResolutionConflict.Fix, _ catalogue: Catalogue) {
    text = fix.changes.map { catalogue.text($0.key, $0.values) }
      .joined(separator: catalogue.text("text.resolver-fix-and"))
    changes = fix.changes.map(Change.init)
  }
}

extension ResolvedFile.Fix.Change {
  init(_ change: ResolutionConflict.Change) {
    switch change {
    case .require(let module, let old, let new):
      self.init(action: "require", module: module, from: old.text, to: new.text)
    case .remove(let module): self.init(action: "remove", module: module, from: nil, to: nil)
    case .rename(let module, let name): self.init(action: "rename", module: module, from: nil, to: name)
    case .raiseMinimum(_, let version): self.init(action: "minimum", module: nil, from: nil, to: version.text)
    }
  }
}
