import MPaaSSupport

/// The answers to a template's questions, by whom it came.
package struct TemplateAnswers: Sendable {
  /// By the option without its dashes: `bundle-id`.
  package var options: [String: String] = [:]
  /// By the variable: what `--set` says.
  package var settings: [String: String] = [:]
  /// By the variable: what an earlier rendering had.
  package var recorded: TemplateValues = [:]

  package init() {}
}

extension Template {
  /// The values of all variables, each by what was set, by its option, by what was recorded, by its default, or by
  /// asking.
  ///
  /// - Parameters:
  ///   - others: What else is known: of a part, where it has its place.
  ///   - ask: Asks a person; nil where there is none.
  /// - Throws: `TemplateError` `template-answer-unknown`, `template-answer-wrong`, `template-answer-missing`.
  package func values(
    _ builtIn: BuiltInVariables, _ answers: TemplateAnswers, adding others: TemplateValues = [:],
    ask: (TemplateVariable) throws(TemplateError) -> String?
  ) throws(TemplateError) -> TemplateValues {
    var builtIn = builtIn
    for (name, value) in answers.settings.sorted(by: { $0.key < $1.key }) {
      if let changed = try builtIn.setting(name, to: value) {
        builtIn = changed
      } else if !variables.contains(where: { $0.name == name }) {
        let known = variables.map(\.name) + BuiltInVariables.changeable.sorted()
        throw TemplateError(
          .answerUnknown,
          [
            "variable": String(name.prefix(60)), "template": manifest.name, "known": known.joined(separator: ", "),
            "suggestion": closestMatch(to: name, among: known) ?? "",
          ])
      }
    }
    var values = builtIn.values.merging(others) { $1 }
    for variable in variables { values[variable.name] = try value(variable, values, answers, ask) }
    return values
  }

  private func value(
    _ variable: TemplateVariable, _ values: TemplateValues, _ answers: TemplateAnswers,
    _ ask: (TemplateVariable) throws(TemplateError) -> String?
  ) throws(TemplateError) -> TemplateValue {
    if let text = answers.settings[variable.name] { return try variable.value(of: text) }
    if let text = variable.option.flatMap({ answers.options[$0] }) { return try variable.value(of: text) }
    if let value = answers.recorded[variable.name], let fitting = try? variable.checked(value) { return fitting }
    switch variable.initial {
    case .text(let text)?:
      let rendered = try MustacheText.render(text, values, file: manifest.file)
      return try variable.checked(.text(rendered))
    case let value?: return value
    case nil:
      if let answer = try ask(variable) { return try variable.value(of: answer) }
      throw TemplateError(.answerMissing, ["variable": variable.name, "option": variable.optionText])
    }
  }
}
