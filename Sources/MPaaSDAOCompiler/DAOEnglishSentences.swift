import MPaaSDAO

/// The sentences of a build: the plug-in's tool has no catalog of texts, and compilers speak English.
///
/// A test holds them against the catalogue.
enum DAOEnglishSentences {
  static let all: [String: String] = [
    "dao-xml": "The document cannot be read: {reason}.",
    "dao-unknown-element": "{name} cannot stand here.",
    "dao-unknown-attribute": "<{element}> has no attribute {name}.",
    "dao-missing-attribute": "<{element}> needs the attribute {name}.",
    "dao-duplicate-method": "{name} is defined twice.",
    "dao-unknown-name": "Nothing in the document is called {name}.",
    "dao-cycle": "{name} contains itself.",
    "dao-unknown-argument": "{name} is no argument of the method.",
    "dao-expression": "The expression cannot be used: {reason}.",
    "dao-foreach": "{name} cannot be repeated.",
    "dao-step": "A step cannot stand here.",
    "dao-try": "A try cannot stand here.",
    "dao-result": "There is no result {result}.",
    "dao-reserved-name": "{name} stands for the table.",
    "dao-sql": "SQLite refuses the statement: {reason}.",
    "dao-shortcut": "The shortcut cannot be read: {shortcut}.",
    "dao-reference": "The reference cannot be read: {reference}.",
    "dao-on-void": "onVoid cannot be {value}.",
    "dao-version": "The version {version} does not fit.",
    "dao-unused-argument": "Nothing uses the argument {name}.",
    "dao-raw-reference": "{name} becomes SQL as it stands.",
    "dao-full-scan": "The query reads the whole table {table} each time.",
    "dao-misprint": "{name} is a misprint of false.",
    "dao-no-table": "The document names no table.",
    "dao-argument-type": "{value} cannot be a {kind}.",
    "dao-types": "{name} cannot have the type {type}.",
  ]

  static func sentence(_ finding: DAOFinding) -> String {
    var text = all[finding.code.id] ?? "\(finding.error)"
    for (name, value) in finding.values {
      text = text.split(separator: "{\(name)}", omittingEmptySubsequences: false).joined(separator: value)
    }
    return text
  }
}

extension DAOCompilation {
  /// The findings as compilers write them, which SwiftPM and Xcode understand: `file:line:column: error: sentence`.
  package var lines: [String] {
    reports.flatMap { report in
      report.findings.map { finding in
        let place = "\(report.file):\(finding.position.line):\(finding.position.column)"
        return "\(place): \(finding.severity.rawValue): \(DAOEnglishSentences.sentence(finding)) [\(finding.code.id)]"
      }
    }
  }
}
