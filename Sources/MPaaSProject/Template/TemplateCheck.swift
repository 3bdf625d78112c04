package import MPaaSSupport

/// Looks for what is wrong with a template, all of it, as far as it can be told without a project.
package struct TemplateCheck: Sendable {
  /// The faults; the template cannot be used then.
  package private(set) var faults: [TemplateError] = []
  /// The doubts about what is probably not meant so.
  package private(set) var doubts: [TemplateError] = []
  /// nil where it could not be read at all.
  package let template: Template?

  package init(folder: String, find: (String) throws(TemplateError) -> String) {
    do throws(TemplateError) {
      let template = try Template(folder: folder, origin: folder, find: find)
      self.template = template
      check(template)
    } catch {
      template = nil
      faults = [error]
    }
  }

  private mutating func check(_ template: Template) {
    let known = template.knownNames
    for variable in template.variables { checkDefault(variable, template) }
    for rule in template.rules {
      let paths = template.files.keys
      if !paths.contains(where: { rule.fits($0) }) {
        doubts.append(TemplateError(.ruleIdle, ["path": rule.glob.text], at: .file(template.manifest.file)))
      }
      for name in rule.when?.variables ?? [] where !known.contains(name) {
        faults.append(unknown(name, known, .file(template.manifest.file)))
      }
    }
    for (path, file) in template.files.sorted(by: { $0.key < $1.key }) {
      note { () throws(TemplateError) in
        try MustacheText.check(path, known: known, file: file.place)
        if Template.isRendered(path) {
          try MustacheText.check(try Template.text(file), known: known, file: file.place)
        }
      }
    }
    for text in [template.manifest.piece.folder] + template.manifest.registrations.flatMap(\.fields.values) {
      note { () throws(TemplateError) in
        try MustacheText.check(text, known: known, file: template.manifest.file)
      }
    }
    let used = Set(template.files.values.flatMap(Self.names))
    let inRules = Set(template.rules.flatMap { $0.when?.variables ?? [] })
    for variable in template.variables where !used.contains(variable.name) && !inRules.contains(variable.name) {
      let isElsewhere = template.files.keys.contains { $0.contains("{{\(variable.name)}}") }
      if isElsewhere || template.variables.contains(where: { $0.mentions(variable.name) }) { continue }
      doubts.append(TemplateError(.variableIdle, ["variable": variable.name], at: variable.place))
    }
    if faults.isEmpty { trial(template) }
  }

  /// A default has to be a value that the variable may have.
  private mutating func checkDefault(_ variable: TemplateVariable, _ template: Template) {
    guard let initial = variable.initial else { return }
    note { () throws(TemplateError) in
      if case .text(let text) = initial, text.contains("{{") {
        try MustacheText.check(text, known: template.knownNames, file: template.manifest.file)
      } else {
        _ = try variable.checked(initial)
      }
    }
  }

  /// Renders it for a sample name, so that paths are seen as they will be.
  private mutating func trial(_ template: Template) {
    note { () throws(TemplateError) in
      var builtIn = BuiltInVariables(name: try ProjectName("Sample"), year: "2026", kitVersion: "1.0.0")
      builtIn.kit = Kit(path: "/kit", url: nil, templates: nil)
      var others: TemplateValues = [:]
      if template.manifest.kind == .piece {
        others = Dictionary(uniqueKeysWithValues: BuiltInVariables.pieceNames.map { ($0, .text("Sample")) })
        others["self_registering"] = .flag(false)
      }
      if template.manifest.kind == .pipeline {
        others = Dictionary(uniqueKeysWithValues: BuiltInVariables.pipelineNames.map { ($0, .text("Sample")) })
        others["steps"] = .records([["step_name": "sample", "step_title": "Sample"]])
      }
      let values = try template.values(builtIn, TemplateAnswers(), adding: others) { $0.choices.first ?? "sample" }
      _ = try template.render(values)
    }
  }

  private mutating func note(_ work: () throws(TemplateError) -> Void) {
    do throws(TemplateError) { try work() } catch { faults.append(error) }
  }

  private func unknown(_ name: String, _ known: Set<String>, _ place: Place) -> TemplateError {
    let values = ["file": place.description, "name": name, "suggestion": closestMatch(to: name, among: known) ?? ""]
    return TemplateError(.variableUnknown, values, at: place)
  }

  private static func names(_ file: TemplateFolder.File) -> [String] {
    let text = String(decoding: file.bytes.array, as: UTF8.self)
    return ((try? MustacheTags(text))?.tags ?? []).map(\.name)
  }
}

extension TemplateManifest.FileRule {
  /// Tells whether the rule is about a file, with or without its suffix.
  func fits(_ path: String) -> Bool {
    glob.matches(path) || (Template.isRendered(path) && glob.matches(Template.withoutSuffix(path)))
  }
}

extension TemplateVariable {
  fileprivate func mentions(_ name: String) -> Bool {
    if case .text(let text)? = initial { text.contains("{{\(name)") } else { false }
  }
}

extension CodedError<TemplateDomain>.Code {
  /// A rule that is about no file.
  package static var ruleIdle: Self { malformed("template-rule-idle") }
  /// A variable that nothing uses.
  package static var variableIdle: Self { malformed("template-variable-idle") }
}
