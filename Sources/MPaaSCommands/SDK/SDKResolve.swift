import ArgumentParser
import MPaaSModules
import MPaaSSupport
import MPaaSTerminal

extension SDKCommand {
  /// `mpaas sdk resolve`: finds versions in a registry that one file holds.
  struct Resolve: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("resolve", key: "sdk.resolve") }

    @Argument(help: .text("command.sdk.resolve.file", valueName: "file"), completion: .file())
    var file: String

    @OptionGroup var common: CommonOptions

    /// Bytes of the largest file that is read.
    private static let limit = 32 << 20

    func run(in context: Context) async throws -> ResolvedFile {
      let bytes = try Bytes.reading(file == "-" ? "/dev/stdin" : file, limit: Self.limit)
      let name = file == "-" ? "stdin" : file
      let input = try withExtendedLifetime(bytes) { () throws(ModuleError) in
        try ResolverFile(reading: bytes.buffer, file: name).input
      }
      return ResolvedFile(try ModuleResolver(input).resolve(), Catalogue.current)
    }
  }
}

/// What was found, or why nothing was.
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

  let status: String
  let versions: [String: String]?
  let explanation: [String]?
  let fixes: [Fix]?

  init(_ resolution: Resolution, _ catalogue: Catalogue) {
    switch resolution {
    case .solved(let releases):
      status = "solved"
      versions = releases.mapValues(\.version.text)
      explanation = nil
      fixes = nil
    case .unsatisfiable(let conflict):
      status = "unsatisfiable"
      versions = nil
      explanation = conflict.lines.map { catalogue.text($0.key, $0.values) }
      fixes = conflict.fixes.map { Fix($0, catalogue) }
    }
  }

  var exit: ExitStatus { versions == nil ? .negative : .done }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    if let versions {
      document.line(StyledText(catalogue.text("text.resolver-solved", ["count": String(versions.count)])))
      for (name, version) in versions.sorted(by: { $0.key < $1.key }) {
        document.line(StyledText("  \(name) \(version)"))
      }
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
