import ArgumentParser
import CommandKit
import MPaaSSupport
import MPaaSTerminal

/// `mpaas explain ID`: the long text of a diagnostic.
struct ExplainCommand: MPaaSCommand {
  static var configuration: CommandConfiguration { CommandConfiguration("explain", key: "explain") }

  @Argument(
    help: .text("command.explain.id"),
    completion: .candidates { _ in
      Candidates(Explanation.allIDs(.current).map { Candidate($0, Catalogue.current.text("diagnostic.\($0)")) })
    })
  var id: String?

  @OptionGroup var common: CommonOptions

  func run(in context: Context) throws -> Explanations {
    let known = Explanation.allIDs(context.catalogue)
    guard let id else {
      return Explanations(isList: true, diagnostics: known.map { Explanation($0, context.catalogue) })
    }
    guard known.contains(id) else {
      let near = closestMatch(to: id, among: known)
      throw Diagnostic(
        near == nil ? "unknown-diagnostic" : "unknown-diagnostic-near", ["id": id, "suggestion": near ?? ""],
        exit: .usage)
    }
    return Explanations(isList: false, diagnostics: [Explanation(id, context.catalogue)])
  }
}

/// One explanation, or the list of all.
struct Explanations: Presentable {
  let isList: Bool
  let diagnostics: [Explanation]

  private enum CodingKeys: String, CodingKey { case diagnostics }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    if isList {
      document.table(
        Table(
          columns: [.init(catalogue.text("text.identifier")), .init(catalogue.text("text.summary"))],
          rows: diagnostics.map { [StyledText($0.id, .emphasis), StyledText($0.summary)] }))
      return document
    }
    for diagnostic in diagnostics {
      document.line(StyledText(diagnostic.id, .emphasis))
      document.line("  " + StyledText(diagnostic.summary))
      document.line()
      for line in diagnostic.explanation.split(separator: "\n", omittingEmptySubsequences: false) {
        document.line(StyledText(String(line)))
      }
      if let help = diagnostic.help {
        document.line()
        document.line(StyledText(catalogue.text("text.help"), .good) + " " + StyledText(help))
      }
    }
    return document
  }
}
