import MPaaSJSON
package import MPaaSOpenAPI
import MPaaSSupport

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
  /// The tags and operations of a description that are made; empty for all.
  package var only: [String] = []
  /// The files that a description may be made of.
  package var files = OpenAPIFiles()

  /// The transport that a generated client has.
  package var transport = Transport.app
  /// Tells whether a value of each type that a description names is written, too.
  package var hasSamples = false

  package init() {}

  /// The way of a generated client to its server.
  package enum Transport: String, Sendable, CaseIterable {
    /// A type of the app's.
    case app
    /// A client of MPaaSRPC.
    case rpc
  }

  package struct Result: Sendable {
    package let file: String
    package let name: String
    package let calls: [Call]
    package let types: [String]
    package let notes: [GenerationError]
    package let sources: [GeneratedSource]
    /// The origin of all files of the description; nil where a part of them was made.
    package var origin: GeneratedOrigin?

    package struct Call: Sendable {
      /// The message's type.
      package let name: String
      package let method: String
      package let url: String
      package let line: Int
    }
  }

  /// Makes the sources of one scaffold, or of one description by OpenAPI.
  ///
  /// - Throws: `GenerationError` with file, line and column.
  package func run(_ bytes: [UInt8], file: String) throws(GenerationError) -> Result {
    if OpenAPIGeneration.isDescription(bytes, file: file) { return try described(bytes, file: file) }
    if let option = descriptionOption { throw GenerationError(.apiOptionUnfit, ["option": option], at: .file(file)) }
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

  /// An option that is used and that only descriptions by OpenAPI have.
  private var descriptionOption: String? {
    !only.isEmpty ? "--only" : hasSamples ? "--samples" : transport != .app ? "--transport" : nil
  }

  private func described(_ bytes: [UInt8], file: String) throws(GenerationError) -> Result {
    guard objectiveCPrefix == nil else {
      throw GenerationError(.apiOptionUnfit, ["option": "--objc"], at: .file(file))
    }
    let document = try document(bytes, file: file)
    let title = ModelName.words(document.info.title).prefix(3).joined(separator: " ")
    let generation = OpenAPIGeneration(
      options: writer, support: support, isOneFile: isOneFile, only: only, transport: transport,
      hasSamples: hasSamples)
    return try generation.run(
      document, file: file, name: ModelName.type(name ?? (document.info.title.isEmpty ? "API" : title)))
  }

  /// The tags and operations that a description has, which `only` can name; none where it is a scaffold.
  package func choices(_ bytes: [UInt8], file: String) throws(GenerationError) -> [String] {
    guard OpenAPIGeneration.isDescription(bytes, file: file) else { return [] }
    let operations = try document(bytes, file: file).paths.flatMap(\.operations)
    return Set(operations.flatMap(\.tags)).sorted() + Set(operations.compactMap(\.id)).sorted()
  }

  private func document(_ bytes: [UInt8], file: String) throws(GenerationError) -> OpenAPIDocument {
    do {
      // A document from a pipe has no folder in which others could be found.
      return try file == "stdin" ? OpenAPIDocument(bytes, file: file) : OpenAPIDocument(file: file, files: files)
    } catch let error as any DiagnosticConvertible {
      throw GenerationError(error)
    } catch {
      throw GenerationError(.sourceUnfinished, at: .file(file))
    }
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
