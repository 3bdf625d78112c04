import MPaaSSupport
import MPaaSToolSupport

/// Mustache over the values of a template; nothing is escaped unless a tag asks for it.
enum MustacheText {
  /// Names that are set inside the sections of records.
  static let recordFields: Set<String> = [
    "key_name", "key_id", "key_pem", "key_minisign", "key_base64", "key_scheme", "step_name", "step_title",
  ]

  /// Renders a text.
  ///
  /// - Parameter place: Where its first line stands, for errors; a line is added to it.
  /// - Throws: `TemplateError` `template-tag`, `template-variable-unknown` with file and line.
  static func render(
    _ text: String, _ values: TemplateValues, file: String, firstLine: Int = 1
  ) throws(TemplateError) -> String {
    // Without a tag there is nothing to do, and most texts of most files are such.
    guard text.contains("{{") else { return text }
    let tags = try tags(text, known: Set(values.keys), file, firstLine)
    return MustacheRendering(tags.withoutBareLines, values).text
  }

  /// Finds what is wrong with a text without values.
  static func check(
    _ text: String, known: Set<String>, file: String, firstLine: Int = 1
  ) throws(TemplateError) {
    _ = try tags(text, known: known, file, firstLine)
  }

  private static func tags(
    _ text: String, known: Set<String>, _ file: String, _ firstLine: Int
  ) throws(TemplateError) -> MustacheTags {
    let tags: MustacheTags
    do throws(MustacheTags.Fault) {
      tags = try MustacheTags(text)
    } catch {
      throw fault(error.reason, file, firstLine + error.line - 1)
    }
    for tag in tags.tags {
      let line = firstLine + tag.line - 1
      for transform in tag.transforms where !TemplateText.transforms.contains(transform) {
        throw unknown(transform, among: TemplateText.transforms, file, line)
      }
      guard !tag.name.isEmpty, !known.contains(tag.name), !recordFields.contains(tag.name) else { continue }
      throw unknown(tag.name, among: known, file, line)
    }
    return tags
  }

  private static func unknown(
    _ name: String, among known: Set<String>, _ file: String, _ line: Int
  ) -> TemplateError {
    TemplateError(
      .variableUnknown,
      ["file": file, "name": name, "suggestion": closestMatch(to: name, among: known.sorted()) ?? ""],
      at: .text(file: file, line: line, column: nil))
  }

  private static func fault(_ reason: String, _ file: String, _ line: Int) -> TemplateError {
    TemplateError(.tag, ["file": file, "reason": reason], at: .text(file: file, line: line, column: nil))
  }
}

/// The texts that can be made of a text in a template: `{{xml(name)}}`.
enum TemplateText {
  /// Those of texts, and those of lists and their elements.
  static let transforms: Set<String> = [
    "xml", "swift", "objc", "json", "shell", "lowercased", "uppercased", "camel", "type", "first", "last", "count",
    "empty", "reversed", "sorted", "even", "odd", "index",
  ]

  /// - Returns: nil for a transform that is not of texts.
  static func transformed(_ text: String, _ transform: String) -> String? {
    switch transform {
    case "xml": text.escapedMarkup(.quoted)
    // Texts hold no control characters: two escapes are all, and the same for the three.
    case "swift", "objc", "json": escaped(text)
    case "shell": text.shellQuoted
    case "lowercased": text.lowercased()
    case "uppercased": text.uppercased()
    case "camel": text.prefix(1).lowercased() + text.dropFirst()
    case "type": ProjectName.typeName(text)
    default: nil
    }
  }

  /// Between double quotes.
  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
  }
}
