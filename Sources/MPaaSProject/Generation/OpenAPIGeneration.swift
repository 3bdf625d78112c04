import MPaaSJSON
import MPaaSOpenAPI
import MPaaSSupport

/// From a description of calls by OpenAPI to sources.
struct OpenAPIGeneration {
  let options: SwiftModelWriter.Options
  let support: ModelGeneration.Support
  let isOneFile: Bool
  /// Tags and operations; empty for all.
  let only: [String]
  let transport: APIGeneration.Transport
  let hasSamples: Bool

  static let command = "mpaas generate api"

  /// Tells whether a file is a description by OpenAPI rather than a scaffold.
  static func isDescription(_ bytes: [UInt8], file: String) -> Bool {
    if file.hasSuffix(".yaml") || file.hasSuffix(".yml") { return true }
    let head = String(decoding: bytes.prefix(1 << 16), as: UTF8.self)
    return ["\"openapi\"", "\"swagger\"", "\nopenapi:", "\nswagger:"].contains { head.contains($0) }
      || head.hasPrefix("openapi:") || head.hasPrefix("swagger:")
  }

  /// Makes the sources of a description.
  ///
  /// - Throws: `GenerationError` with file, line and column.
  func run(
    _ document: OpenAPIDocument, file: String, name: String
  ) throws(GenerationError) -> APIGeneration.Result {
    let faults = document.faults
    // An address on the network may be no more than that of a linked operation.
    if let fault = faults.first(where: { $0.code != .referenceRemote }) {
      throw GenerationError(faults.first { $0.place == fault.place && $0.code == .referenceRemote } ?? fault)
    }
    var planner = OpenAPIPlanner(document, name: name, only: only)
    var plan = try planner.planned()
    let documents = plan.bundle.documents()
    if let missing = plan.bundle.missing.first {
      throw GenerationError(faults.first { $0.place == missing.place } ?? missing)
    }
    let notes = plan.notes + plan.bundle.notes + faults.map { GenerationError($0) }
    var compiler = SchemaCompiler.Options()
    compiler.namesOwners = true
    compiler.mostSchemas = 1_000_000
    let taken = Set(plan.operations.map(\.type)).union(SwiftAPISupport.reservedTypes)
      .union(["Client", "Server", "Router", "Credentials", "Webhooks", "Patterns", "Checks"].map { name + $0 })
    let compiled = try SchemaCompiler.compile(documents, roots: plan.bundle.roots, taken: taken, options: compiler)
    var files = OpenAPISources(plan, compiled, options).files
    var samples = SwiftSampleWriter(plan, compiled, options)
    if hasSamples {
      files += OpenAPISources.chunks(samples.samples()).enumerated().map { index, text in
        OpenAPISources.File(name: "\(name)Samples\(index == 0 ? "" : "\(index + 1)").swift", body: text)
      }
    }
    return APIGeneration.Result(
      file: file, name: name,
      calls: plan.operations.map { operation in
        APIGeneration.Result.Call(
          name: operation.type, method: operation.source.method, url: operation.source.path,
          line: operation.source.node.position.line)
      },
      types: compiled.set.declarations.map(\.name), notes: notes + samples.notes,
      sources: sources(files, file, name), origin: only.isEmpty ? origin(file, name) : nil)
  }

  private func origin(_ file: String, _ name: String) -> GeneratedOrigin {
    GeneratedOrigin(
      file: Self.last(file), command: Self.command, stems: ["API", "Models", "Samples"].map { name + $0 })
  }

  private static func last(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

  private func sources(_ files: [OpenAPISources.File], _ file: String, _ name: String) -> [GeneratedSource] {
    let origin = Self.last(file)
    let access = options.access.rawValue
    func source(_ name: String, _ body: String) -> GeneratedSource {
      GeneratedSource(name: name, origin: origin, command: Self.command, body: body)
    }
    let adapter = transport == .rpc ? SwiftAPISupport.rpcTransport(access: access) : nil
    var sources: [GeneratedSource]
    if isOneFile {
      let body = files.map(\.body).joined(separator: "\n")
      sources = [source(name + "API.swift", body)]
      if support == .inline {
        let models = SwiftModelSupport.source(access: access)
        sources = [
          source(
            name + "API.swift",
            [SwiftModelSupport.imports, adapter, body, SwiftAPISupport.source(access: access), models]
              .compactMap(\.self).joined(separator: "\n"))
        ]
      }
    } else {
      sources = files.map { source($0.name, $0.body) }
    }
    if support == .file || support == .inline && !isOneFile {
      sources.append(
        GeneratedSource(
          name: "APISupport.swift", origin: "the kit, for all calls beside it", command: Self.command,
          body: SwiftAPISupport.source(access: access)))
      if let adapter {
        sources.append(
          GeneratedSource(
            name: "RPCAPITransport.swift", origin: "the kit, for all calls beside it", command: Self.command,
            body: adapter))
      }
      sources.append(ModelGeneration.supportFile(access: access))
    }
    return sources
  }
}
