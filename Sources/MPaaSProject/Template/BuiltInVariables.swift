import MPaaSSupport

/// The variables that every template has.
package struct BuiltInVariables: Sendable {
  package var name: ProjectName
  /// Four digits.
  package var year: String
  package var author = ""
  package var organization = ""
  package var kit: Kit?
  package var kitVersion: String
  package var appKey = ""
  package var hotpatchKeys: [[String: String]] = []
  package var isObjectiveC = false
  /// `en` or `zh-Hans`.
  package var language = "en"

  package init(name: ProjectName, year: String, kitVersion: String) {
    self.name = name
    self.year = year
    self.kitVersion = kitVersion
  }

  /// The variables that `--set` and recorded answers may change.
  package static let changeable: Set<String> = [
    "name_identifier", "year", "author", "organization", "app_key", "lang", "objc",
  ]

  package static let names: Set<String> = [
    "name", "name_identifier", "name_identifier_lower", "name_bundle", "year", "author", "organization", "kit_path",
    "kit_url", "kit_identity", "kit_version", "app_key", "hotpatch_keys", "objc", "lang",
  ]

  /// The names of the variables that parts have besides.
  package static let pieceNames: Set<String> = [
    "base_name", "type_name", "module", "app_module", "tests_path", "app_tests_path", "self_registering", "place",
  ]

  /// The names of the variables that pipelines have besides: those of the project, and the steps.
  package static let pipelineNames: Set<String> = [
    "modules", "xcode", "scheme", "package", "plists", "texts", "runtime", "gateway", "patches", "info_plist", "steps",
  ]

  /// The names of the variables that templates of a kind have besides.
  package static func names(of kind: TemplateManifest.Kind) -> Set<String> {
    switch kind {
    case .project: []
    case .piece: pieceNames
    case .pipeline: pipelineNames
    }
  }

  package var values: TemplateValues {
    [
      "name": .text(name.text), "name_identifier": .text(name.identifier),
      "name_identifier_lower": .text(name.identifier.lowercased()), "name_bundle": .text(name.bundlePart),
      "year": .text(year), "author": .text(author), "organization": .text(organization),
      "kit_path": .text(kit?.path ?? ""), "kit_url": .text(kit?.url ?? ""),
      "kit_identity": .text(kit?.identity ?? ""), "kit_version": .text(kitVersion), "app_key": .text(appKey),
      "hotpatch_keys": .records(hotpatchKeys), "objc": .flag(isObjectiveC), "lang": .text(language),
    ]
  }

  /// The variables with one of them set by hand; nil where there is none of that name that may be.
  ///
  /// - Throws: `TemplateError` where the value cannot be so.
  package func setting(
    _ variable: String, to value: String, option: String? = nil
  ) throws(TemplateError) -> BuiltInVariables? {
    guard Self.changeable.contains(variable) else { return nil }
    func wrong(_ value: String, _ wanted: String, _ details: [Diagnostic.Detail] = []) -> TemplateError {
      TemplateError(
        .answerWrong,
        ["variable": variable, "value": value, "wanted": wanted, "option": option ?? "--set \(variable)=…"],
        details: details)
    }
    guard value.isPlainText else { throw wrong("?", ValuePattern.none.wanted, ValuePattern.none.details) }
    var result = self
    switch variable {
    case "name_identifier": result.name = try name.named(value)
    case "year": result.year = value
    case "author": result.author = value
    case "organization": result.organization = value
    case "app_key": result.appKey = value
    case "objc":
      guard let flag = TemplateVariable.flag(value) else { throw wrong(String(value.prefix(80)), "true, false") }
      result.isObjectiveC = flag
    default: result.language = value == "zh-Hans" ? value : "en"
    }
    return result
  }
}
