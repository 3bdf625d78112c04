import MPaaSSupport
import MPaaSTOML

/// The content of `template.toml`.
package struct TemplateManifest: Sendable {
  package enum Kind: String, Sendable, CaseIterable { case project, piece, pipeline }

  /// The rule of the files that are made, and of their names.
  package struct FileRule: Sendable {
    package let glob: PathGlob
    package let when: TemplateCondition?
    /// The path instead of its own, as mustache; nil to keep it.
    package let newPath: String?
  }

  /// The entry that `mpaas new` enters into MobileRuntime.plist.
  package struct Registration: Sendable {
    package enum Kind: String, Sendable, CaseIterable { case application, service, module }
    package let kind: Kind
    /// Each text is mustache.
    package let fields: [String: String]
    package let when: TemplateCondition?
  }

  /// The way in which `mpaas new` names and places what is made.
  package struct Piece: Sendable {
    /// The word that the names of its types end in; may be empty.
    package let suffix: String
    /// The folder inside that of the target, as mustache; may be empty.
    package let folder: String
    /// Tells whether it needs a screen, and stands in the app rather than in the core.
    package let belongsToApp: Bool
    package let hasObjectiveC: Bool
  }

  package let name: String
  package let version: String
  package let kind: Kind
  package let summary: BilingualText
  /// The template whose files and variables come first.
  package let base: String?
  /// Tells whether others extend it and nothing is made of it alone.
  package let isAbstract: Bool
  package let variables: [TemplateVariable]
  package let files: [FileRule]
  package let registrations: [Registration]
  package let piece: Piece
  /// The file's name in errors.
  package let file: String

  package static let fileName = "template.toml"
  /// Bytes.
  package static let limit = 1 << 20
}

extension TemplateManifest {
  /// Reads the text of a `template.toml`.
  ///
  /// Keys that it does not know are ignored, so that later versions can add some.
  ///
  /// - Parameter file: What errors name.
  /// - Throws: `TemplateError` with the line of the first key that cannot be so.
  package init(_ text: String, file: String) throws(TemplateError) {
    let document: TOMLDocument
    do throws(TOMLError) { document = try TOMLDocument(text, file: file) } catch { throw TemplateError(error) }
    try self.init(reading: document)
  }

  init(reading document: TOMLDocument) throws(TemplateError) {
    let fields = TemplateFields(document)
    file = document.file
    name = try fields.required("name")
    guard RenderedPath.isComponent(name) else { throw fields.error(.fieldText, "name") }
    version = try fields.string("version") ?? "1.0.0"
    kind = try fields.word("kind") ?? .project
    summary = try fields.bilingual("description") ?? BilingualText(english: "", simplifiedChinese: nil)
    base = try fields.string("extends")
    isAbstract = try fields.bool("abstract") ?? false
    if let base, !RenderedPath.isComponent(base) { throw fields.error(.fieldText, "extends") }
    let piece = try fields.table("piece")
    self.piece = Piece(
      suffix: try piece?.text("suffix") ?? "", folder: try piece?.text("folder") ?? "",
      belongsToApp: try piece?.word("target", TargetWord.self) == .app, hasObjectiveC: try piece?.bool("objc") ?? false)
    var variables: [TemplateVariable] = []
    if let tables = try fields.table("variables") {
      for name in tables.namesInOrder {
        guard let table = try tables.table(name) else { continue }
        variables.append(try TemplateVariable(name, table, in: tables))
      }
    }
    self.variables = variables
    var files: [FileRule] = []
    for table in try fields.tables("files") {
      files.append(
        FileRule(
          glob: PathGlob(try table.required("path")), when: try table.condition("when"), newPath: try table.string("to")
        ))
    }
    self.files = files
    var registrations: [Registration] = []
    for table in try fields.tables("register") {
      guard let kind = try table.word("kind", Registration.Kind.self) else { throw table.error(.fieldMissing, "kind") }
      let when = try table.condition("when")
      var texts: [String: String] = [:]
      for key in table.members.keys where key != "kind" && key != "when" { texts[key] = try table.registered(key) }
      registrations.append(Registration(kind: kind, fields: texts, when: when))
    }
    self.registrations = registrations
  }
}

/// The target that a part belongs to.
private enum TargetWord: String, CaseIterable { case core, app }

extension TemplateFields {
  /// A field of an entry as text: booleans and whole numbers stand in property lists as well.
  fileprivate func registered(_ key: String) throws(TemplateError) -> String? {
    if let flag = members[key]?.bool { return String(flag) }
    if let number = members[key]?.integer(Int.self) { return String(number) }
    return try text(key)
  }
}
