import MPaaSJSON
import MPaaSSupport

/// From JSON files to Swift files.
package struct ModelGeneration: Sendable {
  package enum Input: String, Sendable, CaseIterable { case schema, sample }
  package enum Support: String, Sendable, CaseIterable {
    /// In a file of its own.
    case file
    /// At the end of the models' file.
    case inline
    case none
  }

  package var input: Input?
  /// The name of the document's type; nil for its title, or the file's name.
  package var name: String?
  package var compiler = SchemaCompiler.Options()
  package var writer = SwiftModelWriter.Options()
  /// The objects of samples that are maps, where somebody says so.
  package var maps = SampleMaps()
  package var support = Support.file
  /// Objective-C instead of Swift, with this before the names of types.
  package var objectiveCPrefix: String?

  package init() {}

  package struct Result: Sendable {
    package let set: ModelSet
    package let input: Input
    /// The models' file, and the support's where it has one.
    package let files: [GeneratedSource]
    /// The notes on things that were passed over and look like slips.
    package var notes: [GenerationError] = []
  }

  /// Makes models of files: each schema has a type, all samples have one together.
  ///
  /// - Throws: `GenerationError` with file, line and column.
  package func run(_ files: [(file: String, bytes: [UInt8])]) throws(GenerationError) -> Result {
    var sources: [JSONSource] = []
    for file in files { sources.append(try JSONSource(file.bytes, file: file.file)) }
    guard let first = sources.first else { return Result(set: ModelSet(), input: .schema, files: []) }
    let input = self.input ?? (SampleSchema.isSchema(first.root, file: first.file) ? .schema : .sample)
    let hasDates = compiler.checksFormats && writer.dates != .string
    if input == .sample {
      let (schema, unused) = SampleSchema.schema(of: sources.map(\.root), dates: hasDates, maps: maps)
      if let pointer = unused.first {
        throw GenerationError(.samplePath, ["path": pointer], at: .file(first.file))
      }
      sources = [JSONSource(file: first.file, root: schema)]
    }
    let names = sources.enumerated().map { index, source in
      index == 0 ? name ?? Self.name(of: source) : Self.name(of: source)
    }
    var set = try SchemaCompiler.compile(sources, names: names.map(ModelName.type), options: compiler)
    if input == .sample { set = set.mergingEqualTypes(taken: SwiftSpelling.reservedTypes) }
    let notes = input == .schema ? try SchemaLibrary(sources).misspellings : []
    return Result(
      set: set, input: input, files: self.files(set, ModelName.type(names[0]), files.map(\.file)), notes: notes)
  }

  private static func name(of source: JSONSource) -> String {
    if let title = source.root["title"]?.string, 1...3 ~= ModelName.words(title).count, !title.isEmpty { return title }
    let file = source.file.split(separator: "/").last.map(String.init) ?? "Document"
    return String(file.prefix { $0 != "." })
  }

  private func files(_ set: ModelSet, _ name: String, _ inputs: [String]) -> [GeneratedSource] {
    let command = "mpaas generate model"
    let origin = inputs.map { $0.split(separator: "/").last.map(String.init) ?? $0 }.joined(separator: ", ")
    if let prefix = objectiveCPrefix { return APIGeneration.objectiveC(set, prefix, name, origin, command) }
    var body = SwiftModelWriter.source(set, writer)
    let isInline = support == .inline
    let needsFoundation = SwiftModelSupport.usesDates(body) && (writer.dates == .date || isInline)
    if isInline { body += "\n" + SwiftModelSupport.source(access: writer.access.rawValue, for: body) }
    if needsFoundation { body = SwiftModelSupport.imports + "\n" + body }
    var files = [GeneratedSource(name: name + ".swift", origin: origin, command: command, body: body)]
    if self.support == .file {
      files.append(Self.supportFile(access: writer.access.rawValue))
    }
    return files
  }

  /// The same whichever command writes it.
  static func supportFile(access: String) -> GeneratedSource {
    GeneratedSource(
      name: "JSONModelSupport.swift", origin: "the kit, for all models beside it", command: "mpaas generate model",
      body: SwiftModelSupport.imports + "\n" + SwiftModelSupport.source(access: access))
  }
}
