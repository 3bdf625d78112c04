import MPaaSGatewayCalls
import MPaaSHAR
import MPaaSMock
import MPaaSMockImport
import MPaaSMockRecording
import MPaaSOpenAPI
import MPaaSPact
import MPaaSSigning
import MPaaSSupport
import MPaaSTerminal
import MockServingKit
import ServingKit

/// The sources of a mock behind its stubs, in the order in which they are asked: a pact, a HAR, an OpenAPI document.
struct MockSources {
  private let openAPI: OpenAPISource?
  /// The server behind the document, in the document's place.
  let proxy: CheckedProxySource?
  private let pact: PactSource?
  private let har: HARSource?

  /// Reads the files that the call names.
  init(_ work: MockServing, in context: Context) throws {
    let document = try work.openAPI.map { try OpenAPIDocument(file: $0) }
    var options = OpenAPIMock.Options()
    (options.isDynamic, options.tellsErrors) = (work.isDynamic, work.hasErrors)
    // The server adds these headers to all answers.
    options.allowsOrigins = false
    if let seed = work.seed { options.seed = seed }
    if let document, let url = work.proxied {
      (openAPI, proxy) = (nil, CheckedProxySource(document, options: options, url: url))
    } else {
      (openAPI, proxy) = (document.map { OpenAPISource($0, options: options) }, nil)
    }
    pact = try work.pact.map { file in
      let pact = try Pact(reading: context.data(at: file).array, file: context.name(ofData: file))
      return PactSource(pact, seed: work.seed)
    }
    // With --record the file is written, not read.
    har = try (work.recorded == nil ? work.har : nil).map { file in
      HARSource(HARReplay(try HARFile(context.data(at: file).array, file: context.name(ofData: file))))
    }
  }

  var all: [any MockSource] {
    let known: [(any MockSource)?] = [pact, har, openAPI, proxy]
    return known.compactMap { $0 }
  }

  /// Tells those that put it into answers the address of the server.
  func serve(at url: String) { pact?.serve(at: url) }

  /// Adds what was asked of the pact to the contracts of a folder.
  func writePacts(to folder: String) throws -> WrittenPacts? { try pact?.write(to: folder) }

  /// The calls of mPaaS' gateway, which are asked before stubs and other sources, and ask them.
  ///
  /// - Returns: None where requests are passed on to another server, calls among them.
  func calls(
    of work: MockServing, before library: StubLibrary, _ signers: [String: [RequestSigner]]
  ) -> [any MockSource] {
    guard work.recorded == nil, work.proxied == nil else { return [] }
    var rules = GatewayCallRules()
    rules.isStrict = work.hasErrors
    rules.signers = signers
    if let window = work.window {
      rules.window = window == 0 ? nil : Double(window) * 1000
      rules.refusesTimes = true
    }
    let others = all
    let operations = openAPI?.document.operations ?? []
    let routes = Dictionary(
      operations.compactMap { one in one.id.map { ($0, OperationRoute(method: one.method, path: one.path)) } },
      uniquingKeysWith: { first, _ in first })
    return [GatewayCallSource(rules, sources: { [StubSource(library)] + others }, route: { routes[$0] })]
  }

  /// Adds the stubs of other mocks' files; what could not be carried over is told.
  static func addImports(of work: MockServing, to library: StubLibrary, in context: Context) throws {
    for one in work.imports {
      let name = context.name(ofData: one.file)
      let found = try one.kind.format.read(context.data(at: one.file).array, file: name)
      do throws(StubProblem) {
        _ = try library.add(StubMapping.list(found.document))
      } catch {
        throw StubFolder.Problem(file: name, problem: error).diagnostic
      }
      for note in found.notes {
        let values = ["name": note.name, "place": note.place]
        context.terminal.note(
          StyledText(context.catalogue.text("text.mock-import-\(note.kind.rawValue)", values), .faint))
      }
    }
  }
}

extension MockServing.Import.Kind {
  fileprivate var format: MockFormat {
    switch self {
    case .hoverfly: .hoverfly
    case .mockoon: .mockoon
    case .postman: .postman
    }
  }
}
