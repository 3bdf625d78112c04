import MPaaSSupport
import Mustache

/// Mustache over the values of a template; nothing is escaped unless a tag asks for it.
enum MustacheText {
  /// Names that are set inside the sections of records.
  static let recordFields: Set<String> = ["key_name", "key_id", "key_pem", "key_minisign", "key_base64", "key_scheme"]

  /// Renders a text.
  ///
  /// - Parameter place: Where its first line stands, for errors; a line is added to it.
  /// - Throws: `TemplateError` `template-tag`, `template-variable-unknown` with file and line.
  static func render(
    _ text: String, _ values: TemplateValues, file: String, firstLine: Int = 1
  ) throws(TemplateError) -> String {
    try check(text, known: Set(values.keys), file: file, firstLine: firstLine)
    // Without a tag there is nothing to do, and most texts of most files are such.
    guard text.contains("{{") else { return text }
    let objects = values.mapValues(\.rendered)
    do {
      // On a line of its own, which goes with it: the first line of the text stays the first.
      return try MustacheTemplate(string: "{{% CONTENT_TYPE:TEXT}}\n" + text).render(objects)
    } catch let error as MustacheTemplate.ParserError {
      throw fault("\(error.error)", file, firstLine + max(error.context.lineNumber - 2, 0))
    } catch {
      throw fault("\(error)", file, firstLine)
    }
  }

  /// Finds what is wrong with a text without values.
  static func check(
    _ text: String, known: Set<String>, file: String, firstLine: Int = 1
  ) throws(TemplateError) {
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

extension TemplateValue {
  /// What the library renders.
  fileprivate var rendered: Any {
    switch self {
    case .text(let text): TemplateText(text: text)
    case .flag(let flag): flag
    case .list(let list): list.map { TemplateText(text: $0) }
    case .records(let records): records.map { $0.mapValues { TemplateText(text: $0) } }
    }
  }
}

/// A text in a template, and what can be made of it: `{{xml(name)}}`.
struct TemplateText: MustacheCustomRenderable, MustacheTransformable {
  let text: String

  var renderText: String { text }
  /// So that a section of an empty text is left out.
  var isNull: Bool { text.isEmpty }

  /// Those of ours, and the library's for lists and their elements.
  static let transforms: Set<String> = [
    "xml", "swift", "objc", "json", "shell", "lowercased", "uppercased", "camel", "type", "first", "last", "count",
    "empty", "reversed", "sorted", "even", "odd", "index",
  ]

  func transform(_ name: String) -> Any? {
    switch name {
    case "xml": TemplateText(text: Self.xml(text))
    case "swift", "objc", "json":
      // Texts hold no control characters: two escapes are all, and the same for the three.
      TemplateText(text: Self.escaped(text))
    case "shell": TemplateText(text: "'" + text.replacing("'", with: "'\\''") + "'")
    case "lowercased": TemplateText(text: text.lowercased())
    case "uppercased": TemplateText(text: text.uppercased())
    case "camel": TemplateText(text: text.prefix(1).lowercased() + text.dropFirst())
    case "type": TemplateText(text: ProjectName.typeName(text))
    case "empty": text.isEmpty
    default: nil
    }
  }

  /// For elements and attributes (XML 1.0, 2.4).
  private static func xml(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;")
  }

  /// Between double quotes.
  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
  }
}
