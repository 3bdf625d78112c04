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
  /// What the type of the document is called; nil for its title, or the file's name.
  package var name: String?
  package var compiler = SchemaCompiler.Options()
  package var writer = SwiftModelWriter.Options()
  package var support = Support.file
  /// Objective-C instead of Swift, with this before the names of types.
  package var objectiveCPrefix: String?

  package init() {}

  package struct Result: Sendable {
    package let set: ModelSet
    package let input: Input
    /// The models' file, and the support's where it has one.
    package let files: [GeneratedSource]
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
      sources = [JSONSource(file: first.file, root: SampleSchema.schema(of: sources.map(\.root), dates: hasDates))]
    }
    let names = sources.enumerated().map { index, source in
      index == 0 ? name ?? Self.name(of: source) : Self.name(of: source)
    }
    let set = try SchemaCompiler.compile(sources, names: names.map(ModelName.type), options: compiler)
    return Result(set: set, input: input, files: self.files(set, ModelName.type(names[0]), files.map(\.file)))
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
    let needsDates = writer.dates != .string && set.mentionsDates
    let support = SwiftModelSupport.source(access: writer.access.rawValue)
    if isInline { body += "\n" + support }
    if (needsDates && writer.dates == .date) || isInline { body = SwiftModelSupport.imports + "\n" + body }
    var files = [GeneratedSource(name: name + ".swift", origin: origin, command: command, body: body)]
    if self.support == .file {
      files.append(Self.supportFile(support))
    }
    return files
  }

  /// The same whichever command writes it.
  static func supportFile(_ support: String) -> GeneratedSource {
    GeneratedSource(
      name: "JSONModelSupport.swift", origin: "the kit, for all models beside it", command: "mpaas generate model",
      body: SwiftModelSupport.imports + "\n" + support)
  }

  private var isInline: Bool { support == .inline }
}

extension ModelSet {
  /// Whether a type anywhere in it is a date.
  var mentionsDates: Bool {
    declarations.contains { declaration in
      switch declaration.kind {
      case .object(let object): object.properties.contains { $0.type.hasDate } || object.rest?.hasDate == true
      case .tuple(let tuple): tuple.items.contains { $0.type.hasDate } || tuple.rest?.hasDate == true
      case .union(let cases): cases.contains { $0.type.hasDate }
      case .value(let type): type.hasDate
      case .enumeration: false
      }
    }
  }
}

extension ModelType {
  var hasDate: Bool {
    switch self {
    case .string(.dateTime), .string(.date): true
    case .array(let type), .map(let type), .nullable(let type): type.hasDate
    default: false
    }
  }
}
