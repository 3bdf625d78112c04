import ArgumentParser
import CommandKit
import MPaaSProject
import MPaaSSupport
import MPaaSTerminal

extension GenerateCommand {
  /// `mpaas generate api FILE…`: models and calls from descriptions by OpenAPI, and from Bee's scaffold files.
  struct API: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("api", key: "generate.api") }

    @Argument(help: .text("command.generate.api.files", valueName: "file"), completion: .file())
    var files: [String]

    @Option(help: .text("command.generate.api.name", valueName: "name"))
    var name: String?

    @Option(help: .text("command.generate.api.output", valueName: "path"), completion: .file())
    var output = "."

    @Option(
      help: .text("command.generate.api.only", valueName: "tag|operation"),
      completion: .values { input in
        try input.arguments.flatMap { path in
          try APIGeneration().choices(Bytes.mapping(path).array, file: path)
        }
      })
    var only: [String] = []

    @Option(help: .text("command.generate.api.transport", valueName: "app|rpc"))
    var transport = APIGeneration.Transport.app

    @Flag(help: .text("command.generate.api.samples"))
    var samples = false

    @Flag(help: .text("command.generate.api.objc"))
    var objc = false

    @OptionGroup var generated: GeneratedCodeOptions

    @OptionGroup var common: CommonOptions

    func validate() throws {
      let catalogue = Catalogue.current
      for type in [name, generated.prefix].compactMap({ $0 }) where !Model.isIdentifier(type) {
        throw ValidationError(catalogue.text("command.generate.model.bad-name", ["value": type]))
      }
      if files.count > 1, name != nil || GenerationTarget(output).isOneFile {
        throw ValidationError(catalogue.text("command.generate.api.one-file"))
      }
    }

    func run(in context: Context) async throws -> GeneratedAPIs {
      var generation = APIGeneration()
      generation.name = name
      generation.only = only
      generation.transport = transport
      generation.hasSamples = samples
      generation.writer = SwiftModelWriter.Options(access: generated.access)
      let target = GenerationTarget(output)
      generation.support = target.support(generated.support)
      generation.isOneFile = target.isOneFile
      generation.objectiveCPrefix = objc ? generated.prefix ?? "" : nil
      var results: [APIGeneration.Result] = []
      for file in files {
        let input = try GeneratedCodeOptions.input(file)
        results.append(try generation.run(input.bytes, file: input.file))
      }
      let written = try generated.write(
        results.flatMap(\.sources), to: target, of: results.compactMap(\.origin))
      return GeneratedAPIs(results, written, isDryRun: generated.isDryRun)
    }
  }
}

extension APIGeneration.Transport: ExpressibleByArgument {}

/// The sources made of descriptions, and the outcome for their files.
struct GeneratedAPIs: Presentable {
  struct API: Encodable {
    let file: String
    let name: String
    let calls: [Call]
    let types: [String]
    let notes: [GenerationNote]
  }

  struct Call: Encodable {
    let name: String
    let method: String
    let url: String
    let line: Int
  }

  let apis: [API]
  let files: [GeneratedFiles.File]
  let isDryRun: Bool
  private let notes: [GenerationError]

  private enum CodingKeys: String, CodingKey {
    case apis, files
    case isDryRun = "dry_run"
  }

  init(_ results: [APIGeneration.Result], _ files: [GeneratedFiles.File], isDryRun: Bool) {
    apis = results.map { result in
      API(
        file: result.file, name: result.name,
        calls: result.calls.map { Call(name: $0.name, method: $0.method, url: $0.url, line: $0.line) },
        types: result.types,
        notes: result.notes.map(GenerationNote.init))
    }
    notes = results.flatMap(\.notes)
    self.files = files
    self.isDryRun = isDryRun
  }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    guard !document.files(files, catalogue) else { return document }
    for api in apis {
      let values = ["name": api.name, "calls": String(api.calls.count), "types": String(api.types.count)]
      document.line(StyledText(catalogue.text("text.generate-api-summary", values), .faint))
    }
    document.notes(notes, catalogue)
    if isDryRun { document.line(StyledText(catalogue.text("text.generate-model-dry-run"), .warning)) }
    return document
  }
}
