/// From scaffold files to sources.
package struct APIGeneration: Sendable {
  /// The controller's name, without `API`; the file's name where nil.
  package var name: String?
  package var writer = SwiftModelWriter.Options()
  package var support = ModelGeneration.Support.file
  /// Tells whether models and calls go into one file.
  package var isOneFile = false
  /// The prefix of the names of Objective-C types; nil for no Objective-C.
  package var objectiveCPrefix: String?

  package init() {}

  package struct Result: Sendable {
    package let file: String
    package let name: String
    package let calls: [Call]
    package let types: [String]
    package let notes: [GenerationError]
    package let sources: [GeneratedSource]

    package struct Call: Sendable {
      /// The message's type.
      package let name: String
      package let method: String
      package let url: String
      package let line: Int
    }
  }

  /// Makes the sources of one scaffold.
  ///
  /// - Throws: `GenerationError` with file, line and column.
  package func run(_ bytes: [UInt8], file: String) throws(GenerationError) -> Result {
    let scaffold = try Scaffold(bytes, file: file)
    let last = file.split(separator: "/").last.map(String.init) ?? file
    let stem = name ?? String(last.prefix { $0 != "." })
    let name = ModelName.type(stem)
    let writer = try SwiftAPIWriter(scaffold, file: file, options: .init(name: stem, models: self.writer))
    let set = writer.modelSet
    return Result(
      file: file, name: name,
      calls: writer.calls.map { named in
        Result.Call(
          name: named.type, method: named.call.method, url: named.call.url.text, line: named.call.position.line)
      },
      types: set.declarations.map(\.name), notes: scaffold.notes,
      sources: sources(writer, set, name, origin: last))
  }

  private static let command = "mpaas generate api"

  private func sources(_ writer: SwiftAPIWriter, _ set: ModelSet, _ name: String, origin: String) -> [GeneratedSource] {
    let models = set.declarations.isEmpty ? nil : SwiftModelWriter.source(set, self.writer)
    let access = self.writer.access.rawValue
    let inline = support == .inline ? models.map { SwiftModelSupport.source(access: access, for: $0) } : nil
    let foundation = inline.flatMap { SwiftModelSupport.usesDates($0) ? SwiftModelSupport.imports : nil }
    let framework = writer.source.map { _ in "import MPaaSFramework\n" }
    var files: [(name: String, parts: [String?])]
    if isOneFile {
      files = [(name + "API.swift", [framework, foundation, writer.source, models, inline])]
    } else {
      files = [(name + "API.swift", [framework, writer.source])]
      files.append((name + "Models.swift", [foundation, models, inline]))
    }
    var sources = files.compactMap { file -> GeneratedSource? in
      let parts = file.parts.compactMap(\.self)
      guard !parts.isEmpty else { return nil }
      return GeneratedSource(
        name: file.name, origin: origin, command: Self.command, body: parts.joined(separator: "\n"))
    }
    if support == .file, models != nil { sources.append(ModelGeneration.supportFile(access: access)) }
    return sources + (objectiveCPrefix.map { Self.objectiveC(set, $0, name + "Models", origin, Self.command) } ?? [])
  }

  /// Header and implementation.
  static func objectiveC(
    _ set: ModelSet, _ prefix: String, _ file: String, _ origin: String, _ command: String
  ) -> [GeneratedSource] {
    let writer = ObjectiveCModelWriter(set, .init(prefix: prefix, file: prefix + file))
    return [
      GeneratedSource(name: prefix + file + ".h", origin: origin, command: command, body: writer.header),
      GeneratedSource(name: prefix + file + ".m", origin: origin, command: command, body: writer.implementation),
    ]
  }
}
