import MPaaSSupport
import MPaaSTOML

/// A table of `template.toml` while it is read.
struct TemplateFields {
  let document: TOMLDocument
  let path: [String]
  let members: JSONValue.Object

  init(_ document: TOMLDocument) {
    self.init(document, [], document.values)
  }

  private init(_ document: TOMLDocument, _ path: [String], _ members: JSONValue.Object) {
    self.document = document
    self.path = path
    self.members = members
  }

  /// An error that names `key`, at its line or at that of the table that it is missing in.
  func error(_ code: TemplateError.Code, _ key: String, _ values: [String: String] = [:]) -> TemplateError {
    let path = path + [key]
    let file = document.file
    let values = values.merging(["file": file, "key": path.joined(separator: ".")]) { $1 }
    for count in stride(from: path.count, to: 0, by: -1) {
      guard let line = line(Array(path.prefix(count))) else { continue }
      return TemplateError(code, values, at: .text(file: file, line: line, column: nil))
    }
    return TemplateError(code, values, at: .file(file))
  }

  /// The elements of arrays of tables are steps of their own there, and words of the path here.
  private func line(_ path: [String]) -> Int? {
    guard path.count > 1, let index = Int(path[1]) else { return document.line(of: path) }
    return document.line(ofElement: index, in: [path[0]])
  }

  private func wrongType(_ key: String, _ wanted: String) -> TemplateError {
    error(.fieldType, key, ["found": members[key]?.kind ?? "null", "wanted": wanted])
  }

  func table(_ key: String) throws(TemplateError) -> TemplateFields? {
    guard let value = members[key] else { return nil }
    guard let object = value.object else { throw wrongType(key, "table") }
    return TemplateFields(document, path + [key], object)
  }

  /// The tables of `[[key]]` in the order of the text.
  func tables(_ key: String) throws(TemplateError) -> [TemplateFields] {
    guard let value = members[key] else { return [] }
    guard let elements = value.array else { throw wrongType(key, "array of tables") }
    var tables: [TemplateFields] = []
    for (index, element) in elements.enumerated() {
      guard let object = element.object else { throw wrongType(key, "array of tables") }
      tables.append(TemplateFields(document, path + [key, String(index)], object))
    }
    return tables
  }

  /// The names of the tables in this one, in the order of the text.
  var namesInOrder: [String] {
    members.keys.map { (document.line(of: path + [$0]) ?? .max, $0) }
      .sorted { $0 < $1 }.map(\.1)
  }

  /// A text without control characters, empty or not.
  func text(_ key: String) throws(TemplateError) -> String? {
    guard let value = members[key] else { return nil }
    guard let text = value.string else { throw wrongType(key, "string") }
    guard text.isPlainText else { throw error(.fieldText, key) }
    return text
  }

  func string(_ key: String) throws(TemplateError) -> String? {
    guard let text = try text(key) else { return nil }
    guard !text.isEmpty else { throw error(.fieldText, key) }
    return text
  }

  func required(_ key: String) throws(TemplateError) -> String {
    guard let text = try string(key) else { throw error(.fieldMissing, key) }
    return text
  }

  func strings(_ key: String) throws(TemplateError) -> [String] {
    guard let value = members[key] else { return [] }
    guard let elements = value.array else { throw wrongType(key, "array of strings") }
    var strings: [String] = []
    for element in elements {
      guard let text = element.string else { throw wrongType(key, "array of strings") }
      guard text.isPlainText else { throw error(.fieldText, key) }
      strings.append(text)
    }
    return strings
  }

  func bool(_ key: String) throws(TemplateError) -> Bool? {
    guard let value = members[key] else { return nil }
    guard let bool = value.bool else { throw wrongType(key, "boolean") }
    return bool
  }

  /// One of the raw values of `Word`; nil where there is none.
  func word<Word: RawRepresentable & CaseIterable>(
    _ key: String, _: Word.Type = Word.self
  ) throws(TemplateError) -> Word? where Word.RawValue == String {
    guard let text = try string(key) else { return nil }
    guard let word = Word(rawValue: text) else {
      let known = Word.allCases.map(\.rawValue)
      throw error(
        .fieldWord, key,
        [
          "value": text, "words": known.joined(separator: ", "),
          "suggestion": closestMatch(to: text, among: known) ?? "",
        ])
    }
    return word
  }

  /// A text in one or both languages; a string alone is both.
  func bilingual(_ key: String) throws(TemplateError) -> BilingualText? {
    guard let value = members[key] else { return nil }
    if value.string != nil { return BilingualText(english: try text(key) ?? "", simplifiedChinese: nil) }
    guard let fields = try table(key) else { return nil }
    return BilingualText(english: try fields.text("en") ?? "", simplifiedChinese: try fields.text("zh-Hans"))
  }

  func condition(_ key: String) throws(TemplateError) -> TemplateCondition? {
    guard let text = try string(key) else { return nil }
    guard let condition = TemplateCondition(text) else { throw error(.condition, key, ["value": text]) }
    return condition
  }
}

/// A text of a template in English, and in Simplified Chinese where it has one.
package struct BilingualText: Sendable, Hashable {
  package let english: String
  package let simplifiedChinese: String?

  package init(english: String, simplifiedChinese: String?) {
    self.english = english
    self.simplifiedChinese = simplifiedChinese
  }

  /// The text in a language by its tag; that in the other where there is none.
  package func text(_ language: String) -> String {
    if language == "zh-Hans", let simplifiedChinese, !simplifiedChinese.isEmpty { return simplifiedChinese }
    return english.isEmpty ? simplifiedChinese ?? "" : english
  }
}
