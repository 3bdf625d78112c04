import MPaaSOpenAPI

/// Writes the client, the protocols of servers, and the router.
struct SwiftCallsWriter {
  let plan: OpenAPIPlan
  let options: SwiftModelWriter.Options
  var text = SwiftText()

  init(_ plan: OpenAPIPlan, _ options: SwiftModelWriter.Options) {
    self.plan = plan
    self.options = options
  }

  private var access: String { options.access == .internal ? "" : options.access.rawValue + " " }
  private var name: String { plan.name }
  private var schemes: [OpenAPISecurityScheme] { plan.document.components.securitySchemes }

  private var operations: [OpenAPIPlan.PlannedOperation] { plan.operations.filter { $0.side == .path } }

  private var groups: [String] {
    var seen: Set<String> = []
    return operations.map(\.group).filter { seen.insert($0).inserted }
  }

  // MARK: The main file

  /// The declarations in one file for all tags.
  mutating func main() -> String {
    if !operations.isEmpty {
      client()
      credentials()
      server()
    } else if !schemes.isEmpty {
      credentials()
    }
    webhooks()
    return text.text
  }

  private mutating func client() {
    let (plan, access, name, schemes) = (plan, access, name, schemes)
    let info = plan.document.info
    let title = info.title.isEmpty ? name : info.title
    text.documentation(["Calls \(title)."] + SwiftOperationWriter.paragraphs([info.description]))
    text.block("\(access)struct \(name)Client: Sendable") { text in
      text.documentation(["The address that stands before the paths of operations."])
      text.line("\(access)var server: String")
      text.line("\(access)var transport: any APITransport")
      if !schemes.isEmpty { text.line("\(access)var credentials: \(name)Credentials") }
      let servers = plan.document.servers
      text.blank()
      let fallback = servers.first.map { " = " + SwiftSpelling.literal($0.address) } ?? ""
      var parameters = ["server: String\(fallback)", "transport: any APITransport"]
      if !schemes.isEmpty { parameters.append("credentials: \(name)Credentials = \(name)Credentials()") }
      text.signature("\(access)init(", parameters, end: ") {")
      text.indented { text in
        text.line("self.server = server")
        text.line("self.transport = transport")
        if !schemes.isEmpty { text.line("self.credentials = credentials") }
      }
      text.line("}")
      if !servers.isEmpty {
        text.blank()
        text.documentation(["The addresses that the description names."])
        text.list(
          "\(access)static let servers = [", servers.map { SwiftSpelling.literal($0.address) }, end: "]", comma: true)
      }
      text.blank()
      text.line("var caller: APICaller {")
      let known = schemes.isEmpty ? "[:]" : "\(name)Credentials.schemes"
      let values = schemes.isEmpty ? "[:]" : "credentials.values"
      text.indented {
        $0.list(
          "APICaller(", ["server: server", "transport: transport", "schemes: \(known)", "credentials: \(values)"],
          end: ")")
      }
      text.line("}")
    }
  }

  /// The functions of the client for a tag, the server's protocol, and the routes.
  mutating func group(_ group: String, _ all: [OpenAPIPlan.PlannedOperation]) -> String {
    text = SwiftText()
    let operations = all.filter { $0.side == .path }
    guard !operations.isEmpty else { return "" }
    text.line("extension \(name)Client {")
    let access = access
    text.indented { text in
      for operation in operations {
        text.blank()
        let request = "`\(operation.source.method) \(SwiftOperationWriter.line(operation.source.path))`"
        text.documentation(SwiftOperationWriter.paragraphs([operation.source.summary]) + [request])
        if operation.source.isDeprecated { text.line("@available(*, deprecated)") }
        let function = SwiftSpelling.identifier(operation.function)
        text.signature(
          "\(access)func \(function)(",
          ["_ input: \(operation.type).Input\(Self.canBeLeftOut(operation) ? " = .init()" : "")"],
          end: ") async throws -> \(operation.type).Output {")
        text.indented { text in
          text.line("let request = try \(operation.type).request(input)")
          text.line("return try \(operation.type).output(try await caller.send(request, \(operation.type).operation))")
        }
        text.line("}")
      }
    }
    text.line("}")
    text.blank()
    protocolOf("\(name)\(group)Server", operations, "What a server does for the operations of \(group).")
    text.blank()
    text.block("extension \(name)\(group)Server") { text in
      text.line("var routesOf\(group): [APIRoute] {")
      text.indented { Self.routes(operations, &$0) }
      text.line("}")
    }
    return text.text
  }

  private mutating func protocolOf(_ type: String, _ operations: [OpenAPIPlan.PlannedOperation], _ line: String) {
    text.documentation([line])
    let access = access
    text.block("\(access)protocol \(type): Sendable") { text in
      for operation in operations {
        text.documentation(SwiftOperationWriter.paragraphs([operation.source.summary]))
        let function = SwiftSpelling.identifier(operation.function)
        text.line("func \(function)(_ input: \(operation.type).Input) async throws -> \(operation.type).Output")
      }
    }
  }

  private static func routes(_ operations: [OpenAPIPlan.PlannedOperation], _ text: inout SwiftText) {
    text.line("[")
    text.indented { text in
      for operation in operations {
        text.line("APIRoute(\(operation.type).operation) { request in")
        text.indented { text in
          text.line("let input = try APIRoutes.reading { try \(operation.type).input(request) }")
          let function = SwiftSpelling.identifier(operation.function)
          text.line("return try \(operation.type).response(try await \(function)(input))")
        }
        text.line("},")
      }
    }
    text.line("]")
  }

  static func canBeLeftOut(_ operation: OpenAPIPlan.PlannedOperation) -> Bool {
    operation.parameters.allSatisfy { !$0.isRequired }
      && (operation.body.map { !$0.isRequired || $0.contents.isEmpty } ?? true)
  }

  // MARK: Servers

  private mutating func server() {
    let (access, name, groups) = (access, name, groups)
    let protocols = groups.map { "\(name)\($0)Server" }
    let hasSecurity = !schemes.isEmpty
    text.blank()
    text.documentation(["What a server of \(plan.document.info.title.isEmpty ? name : plan.document.info.title) does."])
    text.list("\(access)protocol \(name)Server: ", protocols, end: " {")
    if hasSecurity {
      text.indented { text in
        text.documentation([
          "Checks who calls; throws `APIFault(.unauthorized, …)` to refuse.",
          "- Parameter credentials: What the request shows, by the names of the description's schemes.",
        ])
        text.line("func authorize(_ credentials: [String: APICredential], for operation: APIOperation) async throws")
      }
    }
    text.line("}")
    text.blank()
    text.documentation(["Finds the operation of a request, and answers by a server."])
    let path = plan.document.servers.first?.path ?? ""
    text.block("\(access)struct \(name)Router: Sendable") { text in
      text.line("private let routes: APIRoutes")
      text.blank()
      text.documentation([
        "- Parameters:", "  - basePath: What stands before the paths of all operations.",
        "  - failed: Told why an operation could not be answered; the client gets no more than 500.",
      ])
      let parameters = [
        "_ server: some \(name)Server", "basePath: String = \(SwiftSpelling.literal(path))",
        "failed: @escaping @Sendable (any Error, APIOperation) -> Void = { _, _ in }",
      ]
      text.signature("\(access)init(", parameters, end: ") {")
      text.indented { text in
        text.line("var all: [APIRoute] = []")
        for group in groups { text.line("all += server.routesOf\(group)") }
        guard hasSecurity else { return text.line("routes = APIRoutes(all, basePath: basePath, failed: failed)") }
        text.line("let schemes = \(name)Credentials.schemes")
        text.line("routes = APIRoutes(all, schemes: schemes, basePath: basePath, failed: failed) {")
        text.line("  try await server.authorize($0, for: $1)")
        text.line("}")
      }
      text.line("}")
      text.blank()
      text.documentation(["Answers a request; one that is not as described is answered with the reason."])
      text.block("\(access)func respond(to request: APIRequest) async -> APIResponse") {
        $0.line("await routes.respond(to: request)")
      }
    }
  }

  // MARK: Credentials

  private mutating func credentials() {
    guard !schemes.isEmpty else { return }
    var taken: Set<String> = ["schemes", "values"]
    let named = schemes.map { ($0, SwiftSpelling.uniquePlain(ModelName.property($0.name), among: &taken)) }
    let (access, name) = (access, name)
    text.blank()
    text.documentation(["What shows who calls."])
    text.block("\(access)struct \(name)Credentials: Sendable, Hashable") { text in
      for (scheme, property) in named {
        guard let type = Self.type(scheme) else { continue }
        text.documentation(SwiftOperationWriter.paragraphs([scheme.description]) + Self.flows(scheme))
        text.line("\(access)var \(SwiftSpelling.plain(property)): \(type)?")
      }
      text.blank()
      let parameters = named.compactMap { scheme, property in
        Self.type(scheme).map { "\(SwiftSpelling.plain(property)): \($0)? = nil" }
      }
      text.signature("\(access)init(", parameters, end: ") {")
      text.indented { text in
        for (scheme, property) in named where Self.type(scheme) != nil {
          text.line("self.\(SwiftSpelling.plain(property)) = \(SwiftSpelling.plain(property))")
        }
      }
      text.line("}")
      text.blank()
      let list = named.map { "\(SwiftSpelling.literal($0.0.name)): \(Self.scheme($0.0))" }
      text.list("static let schemes: [String: APISecurityScheme] = [", list, end: "]", comma: true)
      text.blank()
      text.line("var values: [String: APICredential] {")
      text.indented { text in
        text.line("var values: [String: APICredential] = [:]")
        for (scheme, property) in named {
          let key = SwiftSpelling.literal(scheme.name)
          let name = SwiftSpelling.plain(property)
          switch scheme.kind {
          case .apiKey: text.line("values[\(key)] = \(name).map { .key($0) }")
          case .http(scheme: "basic", bearerFormat: _): text.line("values[\(key)] = \(name).map { .basic($0) }")
          case .mutualTLS: text.line("values[\(key)] = .connection")
          default: text.line("values[\(key)] = \(name).map { .token($0) }")
          }
        }
        text.line("return values")
      }
      text.line("}")
    }
  }

  private static func type(_ scheme: OpenAPISecurityScheme) -> String? {
    switch scheme.kind {
    case .http(scheme: "basic", bearerFormat: _): "APIBasicCredential"
    case .mutualTLS: nil
    default: "String"
    }
  }

  private static func flows(_ scheme: OpenAPISecurityScheme) -> [String] {
    guard case .oauth2(let flows) = scheme.kind else { return [] }
    return flows.map { flow in
      let urls = [flow.authorizationURL, flow.tokenURL].compactMap(\.self).map { "`\($0)`" }
      return "- `\(flow.name)`: \(urls.joined(separator: ", "))"
    }
  }

  private static func scheme(_ scheme: OpenAPISecurityScheme) -> String {
    switch scheme.kind {
    case .apiKey(let name, let place): ".key(\(SwiftSpelling.literal(name)), in: .\(place.rawValue))"
    case .http(scheme: "basic", bearerFormat: _): ".basic"
    case .http(let word, bearerFormat: _): ".token(\(SwiftSpelling.literal(word == "bearer" ? "Bearer" : word)))"
    case .mutualTLS: ".connection"
    case .oauth2, .openIDConnect: ".token(\"Bearer\")"
    }
  }

  // MARK: Calls from the other side

  private mutating func webhooks() {
    let hooks = plan.operations.filter { $0.side == .webhook }
    if !hooks.isEmpty { receiver("\(name)Webhooks", hooks, "Takes the calls that the server makes by itself.") }
    var seen: Set<String> = []
    for operation in plan.operations {
      guard case .callback(let type) = operation.side, seen.insert(type).inserted else { continue }
      let own = plan.operations.filter { $0.side == operation.side }
      receiver(type, own, "Takes the calls that the server makes back.")
    }
  }

  private mutating func receiver(_ type: String, _ operations: [OpenAPIPlan.PlannedOperation], _ line: String) {
    text.blank()
    protocolOf(type, operations, line)
    text.blank()
    let access = access
    text.block("extension \(type)") { text in
      for operation in operations {
        let function = SwiftSpelling.identifier(operation.function)
        text.blank()
        text.documentation(["Answers a request for `\(operation.function)`, on whatever path it came."])
        text.signature(
          "\(access)func respond\(operation.type)(", ["to request: APIRequest"], end: ") async throws -> APIResponse {")
        text.indented { text in
          text.line("let input = try APIRoutes.reading { try \(operation.type).input(request) }")
          text.line("return try \(operation.type).response(try await \(function)(input))")
        }
        text.line("}")
      }
    }
    for operation in operations {
      text.blank()
      text.block("extension \(operation.type)") { text in
        text.documentation(["Makes the call, as the server of the description does."])
        text.signature(
          "\(access)static func send(",
          ["_ input: Input", "to address: String", "through transport: any APITransport"],
          end: ") async throws -> Output {")
        text.indented { text in
          text.line("var request = try request(input)")
          text.line("request.server = address")
          text.line("request.path = \"\"")
          text.line("return try output(try await transport.send(request))")
        }
        text.line("}")
      }
    }
  }
}
