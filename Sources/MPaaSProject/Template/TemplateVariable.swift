package import MPaaSSupport
import MPaaSTOML

/// A variable of a template.
package struct TemplateVariable: Sendable, Hashable {
  package enum Kind: String, Sendable, CaseIterable { case string, bool, choice, list }

  package let name: String
  package let kind: Kind
  /// The initial value, a text of it as mustache over the variables before; nil where the user has to answer.
  package let initial: TemplateValue?
  /// The values of a choice.
  package let choices: [String]
  package let pattern: ValuePattern
  /// The option of the command that sets it, without its dashes.
  package let option: String?
  package let prompt: BilingualText?
  package let place: Place
}

extension TemplateVariable {
  init(_ name: String, _ fields: TemplateFields, in parent: TemplateFields) throws(TemplateError) {
    guard SwiftWords.isName(name), !BuiltInVariables.names.contains(name), !BuiltInVariables.pieceNames.contains(name)
    else {
      throw parent.error(.fieldWord, name, ["value": name, "words": "a-z, 0-9, _", "suggestion": ""])
    }
    self.name = name
    kind = try fields.word("type") ?? .string
    choices = try fields.strings("choices")
    option = try fields.string("option")
    prompt = try fields.bilingual("prompt")
    if kind == .choice, choices.isEmpty { throw fields.error(.fieldMissing, "choices") }
    if let text = try fields.string("pattern") {
      guard let pattern = ValuePattern(text) else { throw fields.error(.expression, "pattern", ["value": text]) }
      self.pattern = pattern
    } else {
      pattern = .none
    }
    initial =
      switch (kind, fields.members["default"]) {
      case (_, nil): nil
      case (.bool, _): try fields.bool("default").map { .flag($0) }
      case (.list, _): .list(try fields.strings("default"))
      case (.string, _), (.choice, _): try fields.text("default").map { .text($0) }
      }
    let error = parent.error(.fieldMissing, name)
    place = error.place ?? .file(fields.document.file)
  }

  /// The value that an answer means.
  ///
  /// - Throws: `TemplateError` `template-answer-wrong`.
  package func value(of answer: String) throws(TemplateError) -> TemplateValue {
    switch kind {
    case .bool:
      guard let flag = Self.flag(answer) else { throw wrong(answer, "true, false") }
      return .flag(flag)
    case .list:
      let elements = answer.split(separator: ",").map { String($0.drop { $0 == " " }) }
      return try checked(.list(elements))
    case .string, .choice: return try checked(.text(answer))
    }
  }

  /// The truth value that a word means; nil where it is none.
  static func flag(_ answer: String) -> Bool? {
    switch answer.lowercased() {
    case "true", "yes", "on", "1": true
    case "false", "no", "off", "0", "": false
    default: nil
    }
  }

  /// The value, where it is one that the variable may have.
  package func checked(_ value: TemplateValue) throws(TemplateError) -> TemplateValue {
    switch (kind, value) {
    case (.bool, .flag): return value
    case (.choice, .text(let text)):
      guard choices.contains(text) else { throw wrong(text, choices.joined(separator: ", ")) }
    case (.string, .text(let text)): try check(text)
    case (.list, .list(let elements)): for element in elements { try check(element) }
    default: throw wrong(value.json.line, kind.rawValue)
    }
    return value
  }

  private func check(_ text: String) throws(TemplateError) {
    guard text.isPlainText, text.utf8.count <= 4096, pattern.matches(text) else { throw wrong(text, pattern.wanted) }
  }

  private func wrong(_ answer: String, _ wanted: String) -> TemplateError {
    let shown = String(answer.prefix(80).map { $0.isNewline || $0.asciiValue.map { $0 < 0x20 } ?? false ? "?" : $0 })
    return TemplateError(
      .answerWrong,
      ["variable": name, "value": shown, "wanted": wanted, "option": optionText], details: pattern.details)
  }

  /// The option that sets it on the command line.
  package var optionText: String { option.map { "--\($0)" } ?? "--set \(name)=…" }
}
