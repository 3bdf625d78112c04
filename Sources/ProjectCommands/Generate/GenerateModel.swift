import ArgumentParser
import CommandKit
import MPaaSProject
import MPaaSSupport
import MPaaSTerminal

extension GenerateCommand {
  /// `mpaas generate model FILE…`: Swift types from JSON Schema or from samples.
  struct Model: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("model", key: "generate.model") }

    @Argument(help: .text("command.generate.model.files", valueName: "file"), completion: .file())
    var files: [String]

    @Option(help: .text("command.generate.model.name", valueName: "type"))
    var name: String?

    @Option(help: .text("command.generate.model.output", valueName: "path"), completion: .file())
    var output = "."

    @Flag(help: .text("command.generate.model.schema"))
    var schema = false

    @Flag(help: .text("command.generate.model.sample"))
    var sample = false

    @Option(help: .text("command.generate.model.dates", valueName: "how"))
    var dates: SwiftModelWriter.Options.Dates = .exact

    @Option(help: .text("command.generate.model.namespace", valueName: "type"))
    var namespace: String?

    @Option(help: .text("command.generate.model.map", valueName: "json=swift"))
    var map: [String] = []

    @Option(name: .customLong("as-map"), help: .text("command.generate.model.as-map", valueName: "path"))
    var maps: [String] = []

    @Option(name: .customLong("as-type"), help: .text("command.generate.model.as-type", valueName: "path"))
    var structures: [String] = []

    @Flag(name: .customLong("ignore-formats"), help: .text("command.generate.model.ignore-formats"))
    var ignoresFormats = false

    @Flag(name: .customLong("exact-one-of"), help: .text("command.generate.model.exact-one-of"))
    var isOneOfExact = false

    @Flag(help: .text("command.generate.model.objc"))
    var objc = false

    @OptionGroup var generated: GeneratedCodeOptions

    @OptionGroup var common: CommonOptions

    func validate() throws {
      guard !schema || !sample else { throw ValidationError(text("command.generate.model.both")) }
      for item in map where !Self.isMapping(item) {
        throw ValidationError(text("command.generate.model.bad-map").replacing("{value}", with: item))
      }
      for path in maps + structures where !path.hasPrefix("/") {
        throw ValidationError(text("command.generate.model.bad-path").replacing("{value}", with: path))
      }
      guard !schema || (maps + structures).isEmpty else {
        throw ValidationError(text("command.generate.model.map-of-schema"))
      }
      for type in [name, namespace, generated.prefix].compactMap({ $0 }) where !Self.isIdentifier(type) {
        throw ValidationError(text("command.generate.model.bad-name").replacing("{value}", with: type))
      }
    }

    private func text(_ key: String) -> String { Catalogue.current.text(key) }

    func run(in context: Context) async throws -> GeneratedModels {
      var inputs: [(file: String, bytes: [UInt8])] = []
      for file in files { inputs.append(try GeneratedCodeOptions.input(file)) }
      let target = GenerationTarget(output)
      let result = try generation(for: target).run(inputs)
      let written = try generated.write(result.files, to: target)
      return GeneratedModels(result, written, isDryRun: generated.isDryRun)
    }

    private func generation(for target: GenerationTarget) -> ModelGeneration {
      var generation = ModelGeneration()
      generation.input = schema ? .schema : sample ? .sample : nil
      generation.name = name
      generation.support = target.support(generated.support)
      generation.objectiveCPrefix = objc ? generated.prefix ?? "" : nil
      generation.maps = SampleMaps(maps: maps, structures: structures)
      generation.compiler = SchemaCompiler.Options(
        checksFormats: !ignoresFormats, isOneOfExact: isOneOfExact,
        names: Dictionary(map.compactMap(Self.mapping)) { $1 })
      generation.writer = SwiftModelWriter.Options(access: generated.access, dates: dates, namespace: namespace)
      return generation
    }

    private static func mapping(_ text: String) -> (String, String)? {
      guard let equals = text.lastIndex(of: "="), equals != text.startIndex else { return nil }
      return (String(text[..<equals]), String(text[text.index(after: equals)...]))
    }

    private static func isMapping(_ text: String) -> Bool {
      mapping(text).map { isIdentifier($0.1) } ?? false
    }

    static func isIdentifier(_ text: String) -> Bool {
      guard let first = text.unicodeScalars.first, first.properties.isXIDStart || first == "_" else { return false }
      return text.unicodeScalars.allSatisfy { $0.properties.isXIDContinue }
    }
  }
}

extension SwiftModelWriter.Options.Dates: ExpressibleByArgument {}
extension SwiftModelWriter.Options.Access: ExpressibleByArgument {}
extension ModelGeneration.Support: ExpressibleByArgument {}

/// The models that were made, and what became of the files.
struct GeneratedModels: Presentable {
  struct TypeName: Encodable {
    let name: String
    let kind: String
  }

  let input: String
  let types: [TypeName]
  let files: [GeneratedFiles.File]
  let notes: [GenerationNote]
  let isDryRun: Bool
  private let passedOver: [GenerationError]

  private enum CodingKeys: String, CodingKey {
    case input, types, files, notes
    case isDryRun = "dry_run"
  }

  init(_ result: ModelGeneration.Result, _ files: [GeneratedFiles.File], isDryRun: Bool) {
    input = result.input.rawValue
    types = result.set.declarations.map { TypeName(name: $0.name, kind: $0.kind.word) }
    self.files = files
    notes = result.notes.map(GenerationNote.init)
    passedOver = result.notes
    self.isDryRun = isDryRun
  }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    guard !document.files(files, catalogue) else { return document }
    document.line(
      StyledText(
        catalogue.text(
          "text.generate-model-types",
          ["count": String(types.count), "input": catalogue.text("text.generate-model-\(input)")]), .faint))
    document.notes(passedOver, catalogue)
    if isDryRun { document.line(StyledText(catalogue.text("text.generate-model-dry-run"), .warning)) }
    return document
  }
}

extension ModelDeclaration.Kind {
  fileprivate var word: String {
    switch self {
    case .object: "object"
    case .tuple: "tuple"
    case .enumeration: "enumeration"
    case .union: "union"
    case .value: "value"
    }
  }
}
