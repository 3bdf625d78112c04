import MPaaSSupport

/// A template with all that it extends: what a rendering needs.
package struct Template: Sendable {
  /// The manifest of the template itself.
  package let manifest: TemplateManifest
  /// Its own and those of the templates that it extends; theirs first, each at its first place.
  package let variables: [TemplateVariable]
  /// Its own first, since the first that fits counts.
  package let rules: [TemplateManifest.FileRule]
  package let files: [String: TemplateFolder.File]
  /// The origin, as `mpaas template list` and records tell it.
  package let origin: String

  /// Reads the template in a folder, and those that it extends.
  ///
  /// - Parameter find: Gives the folder of the template of a name that is not beside this one.
  /// - Throws: `TemplateError`.
  package init(
    folder: String, origin: String, find: (String) throws(TemplateError) -> String
  ) throws(TemplateError) {
    var chain = [try TemplateFolder(folder)]
    while let base = chain.last?.manifest.base, let last = chain.last {
      let beside = FileSystem.folder(of: last.path) + "/" + base
      let isBeside = FileStatus(beside + "/" + TemplateManifest.fileName)?.kind == .file
      let next = isBeside ? beside : try find(base)
      guard chain.count < 8, !chain.contains(where: { $0.path == next }) else {
        let names = (chain.map(\.manifest.name) + [base]).joined(separator: " → ")
        throw TemplateError(.extendsItself, ["names": names], at: .file(last.manifest.file))
      }
      chain.append(try TemplateFolder(next))
    }
    self.init(chain, origin: origin)
  }

  /// - Parameter chain: The template, what it extends, what that extends…
  private init(_ chain: [TemplateFolder], origin: String) {
    manifest = chain[0].manifest
    self.origin = origin
    rules = chain.flatMap(\.manifest.files)
    var variables: [TemplateVariable] = []
    var files: [String: TemplateFolder.File] = [:]
    for part in chain.reversed() {
      for variable in part.manifest.variables {
        if let index = variables.firstIndex(where: { $0.name == variable.name }) {
          variables[index] = variable
        } else {
          variables.append(variable)
        }
      }
      for (path, file) in part.files {
        // A file replaces one of the same name, whichever of the two is rendered.
        let twin = Self.isRendered(path) ? Self.withoutSuffix(path) : path + Self.suffix
        files[twin] = nil
        files[path] = file
      }
    }
    self.variables = variables
    self.files = files
  }

  static let suffix = ".mustache"
  static func isRendered(_ path: String) -> Bool { path.hasSuffix(suffix) }
  static func withoutSuffix(_ path: String) -> String { String(path.dropLast(suffix.count)) }
}

extension Template {
  /// All names that its texts may use.
  package var knownNames: Set<String> {
    BuiltInVariables.names.union(variables.map(\.name)).union(BuiltInVariables.names(of: manifest.kind))
  }

  /// Renders the files that belong to what the values say.
  ///
  /// - Throws: `TemplateError` with the file and line of a tag that is wrong, or the path that is.
  package func render(_ values: TemplateValues) throws(TemplateError) -> RenderedTree {
    var tree = RenderedTree()
    for (path, file) in files.sorted(by: { $0.key < $1.key }) {
      let rule = rules.first { $0.fits(path) }
      if let when = rule?.when, !when.holds(values) { continue }
      let name = try MustacheText.render(rule?.newPath ?? Self.withoutSuffixIfAny(path), values, file: file.place)
      let bytes = Self.isRendered(path) ? try rendered(file, values) : file.bytes.array
      try tree.add(.init(bytes: bytes, isExecutable: file.isExecutable), at: name, origin: file.place)
    }
    return tree
  }

  private static func withoutSuffixIfAny(_ path: String) -> String { isRendered(path) ? withoutSuffix(path) : path }

  private func rendered(_ file: TemplateFolder.File, _ values: TemplateValues) throws(TemplateError) -> [UInt8] {
    Array(try MustacheText.render(Self.text(file), values, file: file.place).utf8)
  }

  static func text(_ file: TemplateFolder.File) throws(TemplateError) -> String {
    guard let text = String(validating: file.bytes.array, as: UTF8.self) else {
      throw TemplateError(.notText, ["file": file.place], at: .file(file.place))
    }
    return text
  }
}
