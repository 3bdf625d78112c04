import ArgumentParser
import CommandKit
import MPaaSDAO
import MPaaSDAOCompiler
import MPaaSDeclarations
import MPaaSSupport
import MPaaSTerminal

extension DAOAccessLevel: ExpressibleByArgument {}

extension DAOCommand {
  /// `mpaas dao compile FILE… --output X.swift`: classes of documents, whose methods run their statements.
  struct Compile: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("compile", key: "dao.compile") }

    @Argument(help: .text("command.dao.compile.files"), completion: .file(extensions: ["xml"]))
    var files: [String]

    @Option(name: .shortAndLong, help: .text("command.dao.compile.output", valueName: "path"), completion: .file())
    var output: String

    @Option(
      name: .customLong("source"), help: .text("command.dao.compile.source", valueName: "path"),
      completion: .file(extensions: ["swift"]))
    var sources: [String] = []

    @Option(help: .text("command.dao.compile.access", valueName: "word"))
    var access = DAOAccessLevel.internal

    @Option(name: .customLong("global"), help: .text("command.dao.check.global", valueName: "name"))
    var globals: [String] = []

    @Flag(help: .text("command.dao.compile.untyped"))
    var untyped = false

    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> CompiledDAOView {
      var options = DAOCompilation.Options()
      options.access = access
      options.infersTypes = !untyped
      options.globals = Set(globals)
      let types = try sources.flatMap { path in
        DeclarationScanner.scan(try Bytes.reading(path, limit: 1 << 28).array, file: path)
      }
      let documents = try files.map { (file: $0, bytes: try DAOInput.bytes($0)) }
      let compilation = DAOCompilation(documents, types: types, options: options)
      if let source = compilation.source {
        if output == "-" {
          return CompiledDAOView(compilation, path: nil, source: source, context.catalogue)
        }
        try Bytes(Array(source.utf8)).write(to: output)
      }
      return CompiledDAOView(compilation, path: output, source: nil, context.catalogue)
    }
  }
}

/// The classes that were made, or the findings for which none was.
struct CompiledDAOView: Presentable {
  struct Module: Encodable {
    let name: String
    let file: String
    let methods: Int
  }

  let modules: [Module]
  let path: String?
  /// The source, where it goes to standard output.
  let source: String?
  private let view: DAOFindingsView

  private enum CodingKeys: String, CodingKey { case modules, path, source, findings }

  init(_ compilation: DAOCompilation, path: String?, source: String?, _ catalogue: Catalogue) {
    let isRefused = compilation.source == nil
    modules =
      isRefused
      ? [] : compilation.modules.map { Module(name: $0.name, file: $0.file, methods: $0.methodCount) }
    self.path = isRefused ? nil : path
    self.source = source
    view = DAOFindingsView(compilation.reports.map { ($0.file, $0.findings) }, catalogue)
  }

  var exit: ExitStatus { modules.isEmpty ? .malformedInput : .done }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(modules, forKey: .modules)
    try container.encodeIfPresent(path, forKey: .path)
    try container.encodeIfPresent(source, forKey: .source)
    try container.encode(view.findings, forKey: .findings)
  }

  func document(_ catalogue: Catalogue) -> Document {
    if let source {
      var document = Document()
      for line in source.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
        document.line(StyledText(verbatim: String(line)))
      }
      return document
    }
    var document = view.findings.isEmpty ? Document() : view.document(catalogue)
    for module in modules {
      let values = ["name": module.name, "methods": "\(module.methods)", "path": path ?? ""]
      document.line(StyledText(catalogue.text("text.dao-compiled", values)))
    }
    return document
  }
}
