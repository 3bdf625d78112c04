package import MPaaSSupport

extension Diagnostic {
  /// The JSON that `--json` tells a problem with, for what answers in another way than on the terminal.
  package func json(_ catalogue: Catalogue) throws -> String {
    try Terminal.json(DiagnosticText(self, catalogue).json)
  }
}
