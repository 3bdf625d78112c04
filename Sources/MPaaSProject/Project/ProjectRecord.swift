import MPaaSSupport
import MPaaSTOML

/// The record of the template that a project was made of: `.mpaas/template.toml`.
package struct ProjectRecord: Sendable, Equatable {
  package let template: String
  package let version: String
  /// The source of `--from`; empty for the kit's and the user's own.
  package let source: String
  /// All variables, those that every template has with them.
  package let values: TemplateValues

  package static let file = Home.project.file
  package static let baseFile = Home.project.baseFile

  /// The files that a record stands in, and the command that reads them.
  package struct Home: Sendable, Equatable {
    package let file: String
    package let baseFile: String
    package let command: String
    /// The thing that was made, as the file's first line names it.
    package let subject: String

    package static let project = Home(
      file: ".mpaas/template.toml", baseFile: ".mpaas/template-base.zip", command: "mpaas update-template",
      subject: "project")
    package static let pipeline = Home(
      file: ".mpaas/ci.toml", baseFile: ".mpaas/ci-base.zip", command: "mpaas ci init", subject: "pipeline")
  }

  package init(template: String, version: String, source: String, values: TemplateValues) {
    self.template = template
    self.version = version
    self.source = source
    self.values = values
  }

  /// The text of the file; variables sorted, one a line.
  package var text: String { text(in: .project) }

  /// The same for a file of its own.
  package func text(in home: Home) -> String {
    var lines = [
      "# The template that this \(home.subject) was made of. `\(home.command)` reads it: keep it under version control.",
      "template = \(TOMLKey.quoted(template))", "version = \(TOMLKey.quoted(version))",
    ]
    if !source.isEmpty { lines.append("source = \(TOMLKey.quoted(source))") }
    lines += ["", "[values]"]
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      if let written = TOMLKey.value(value.json) { lines.append("\(TOMLKey.written(name)) = \(written)") }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Reads the file.
  ///
  /// - Parameter file: What errors name.
  /// - Throws: `TemplateError` as a manifest does.
  package init(_ text: String, file: String) throws(TemplateError) {
    let document: TOMLDocument
    do throws(TOMLError) { document = try TOMLDocument(text, file: file) } catch { throw TemplateError(error) }
    let fields = TemplateFields(document)
    template = try fields.required("template")
    version = try fields.string("version") ?? ""
    source = try fields.text("source") ?? ""
    var values: TemplateValues = [:]
    if let table = try fields.table("values") {
      for (name, json) in table.members {
        guard let value = TemplateValue(json) else {
          throw table.error(.fieldType, name, ["found": json.kind, "wanted": "string"])
        }
        values[name] = value
      }
    }
    self.values = values
  }
}
