package import MPaaSSupport

/// The frame of a SARIF log: one run of this tool, its rules and results.
///
/// - Source: Static Analysis Results Interchange Format 2.1.0, OASIS.
package struct SARIFDocument: Sendable {
  /// A kind of result; code hosts want all three texts.
  package struct Rule: Sendable {
    package var id: String
    package var short: String
    package var full: String
    package var help: String
    /// `error`, `warning` or `note`.
    package var level: String

    package init(id: String, short: String, full: String, help: String, level: String = "error") {
      self.id = id
      self.short = short
      self.full = full
      self.help = help
      self.level = level
    }
  }

  /// The folder that paths of sources are told relative to; nil tells them as they are.
  package var sourceRoot: String?
  package var toolVersion: String

  package init(sourceRoot: String? = nil, toolVersion: String) {
    self.sourceRoot = sourceRoot.map { $0.hasSuffix("/") ? $0 : $0 + "/" }
    self.toolVersion = toolVersion
  }

  /// - Parameter results: Each names its rule by `ruleId` and `ruleIndex`.
  package func document(rules: [Rule], results: [JSONValue]) -> JSONValue {
    var run: JSONValue.Object = [
      "tool": [
        "driver": [
          "name": "mpaas", "version": .string(toolVersion),
          "rules": .array(
            rules.map { rule in
              [
                "id": .string(rule.id), "shortDescription": ["text": .string(rule.short)],
                "fullDescription": ["text": .string(rule.full)], "help": ["text": .string(rule.help)],
                "defaultConfiguration": ["level": .string(rule.level)],
              ]
            }),
        ]
      ],
      "results": .array(results), "columnKind": "unicodeCodePoints",
    ]
    if let sourceRoot, sourceRoot.hasPrefix("/") {
      run["originalUriBaseIds"] = ["SRCROOT": ["uri": .string("file://" + Self.encoded(sourceRoot))]]
    }
    return [
      "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [.object(run)],
    ]
  }

  /// An `artifactLocation`.
  package func artifact(_ file: String) -> JSONValue {
    if let sourceRoot, file.hasPrefix(sourceRoot) {
      return ["uri": .string(Self.encoded(String(file.dropFirst(sourceRoot.count)))), "uriBaseId": "SRCROOT"]
    }
    return ["uri": .string(file.hasPrefix("/") ? "file://" + Self.encoded(file) : Self.encoded(file))]
  }

  /// A path as a URI has it (RFC 3986): all but unreserved characters and slashes as percent signs and digits.
  private static func encoded(_ path: String) -> String { PercentEncoding.encode(path, keeping: "/") }
}
