import MPaaSJSON

/// Writes the calls of a scaffold as messages of MPaaSFramework, and a controller that sends them to the server.
package struct SwiftAPIWriter {
  package struct Options: Sendable {
    package var models: SwiftModelWriter.Options
    /// The controller's name, without `API`.
    package var name: String

    package init(name: String, models: SwiftModelWriter.Options = .init()) {
      self.name = name
      self.models = models
    }
  }

  let scaffold: Scaffold
  let options: Options
  let models: ScaffoldModels
  let calls: [NamedCall]
  var text = SwiftText()

  /// A call and what it is called in code.
  struct NamedCall {
    let call: Scaffold.Call
    let type: String
  }

  /// The models and the calls of a scaffold, ready to be written.
  ///
  /// - Throws: `scaffold-type-twice`, `scaffold-bad-name`.
  package init(_ scaffold: Scaffold, file: String, options: Options) throws(GenerationError) {
    var models = try ScaffoldModels(scaffold, file: file)
    var calls: [NamedCall] = []
    let position = TextPosition(line: 1, column: 1)
    if !scaffold.calls.isEmpty { try models.reserve(ModelName.type(options.name) + "API", at: position) }
    for call in scaffold.calls {
      let name = call.alias ?? "\(call.method)_\(call.url.path)"
      calls.append(NamedCall(call: call, type: try models.claim(name, at: call.position)))
    }
    self.scaffold = scaffold
    self.options = options
    self.models = models
    self.calls = calls
  }

  /// The models, for the writers of models in any language.
  package var modelSet: ModelSet { models.modelSet() }

  /// The source of the calls; nil where there are none.
  ///
  /// It needs `import MPaaSFramework` above, and the models in the same module.
  package var source: String? {
    guard !calls.isEmpty else { return nil }
    var writer = self
    writer.controller()
    for call in calls {
      writer.text.blank()
      writer.message(call)
    }
    return writer.text.text
  }

  var controllerName: String { ModelName.type(options.name) + "API" }
  var prefix: String { ModelName.property(options.name) }
  var access: String { options.models.access == .internal ? "" : options.models.access.rawValue + " " }

  mutating func declaration(_ head: String, _ body: (inout SwiftAPIWriter) -> Void) {
    text.line(access + head + " {")
    indented(body)
    text.line("}")
  }

  mutating func indented(_ body: (inout SwiftAPIWriter) -> Void) {
    var inner = self
    text.indented { text in
      inner.text = text
      body(&inner)
      text = inner.text
    }
  }
}

// MARK: The controller

extension SwiftAPIWriter {
  private mutating func controller() {
    text.documentation(["Sends the calls of \(title) to its server."])
    declaration("struct \(controllerName): MessageController") { writer in
      writer.properties()
      writer.initializers()
      writer.registration()
    }
  }

  private mutating func properties() {
    text.line("\(access)let prefix = \(SwiftSpelling.literal(prefix))")
    text.line("\(access)let delivery = MessageDelivery.concurrent(4)")
    text.documentation(["What stands before the paths of calls."])
    text.line("\(access)let server: String")
    text.line("\(access)let transport: MessageTransport")
    guard !scaffold.servers.isEmpty else { return }
    text.blank()
    text.documentation(["Where the service is found."])
    let title = title
    let servers = scaffold.servers.map { "\($0.environment.swiftCase): \(SwiftSpelling.literal($0.url))" }
    text.line("\(access)static let servers = CallServers(")
    text.indented { text in
      text.line("\(SwiftSpelling.literal(title)),")
      text.line("[")
      text.indented { text in
        for server in servers { text.line(server + (servers.count > 1 ? "," : "")) }
      }
      text.line("])")
    }
  }

  private var title: String { scaffold.title ?? options.name }

  private mutating func initializers() {
    let isOpen = scaffold.calls.contains { !$0.url.isAbsolute }
    if !scaffold.servers.isEmpty {
      text.blank()
      text.documentation(["Calls the server of an environment; throws where the description names none."])
      text.list(
        "\(access)init(", ["environment: AppEnvironment", "transport: MessageTransport"],
        end: ") throws(FrameworkError) {")
      text.indented { text in
        text.line("self.init(server: try Self.servers.url(in: environment), transport: transport)")
      }
      text.line("}")
    }
    text.blank()
    text.line("\(access)init(server: String\(isOpen ? "" : " = \"\""), transport: MessageTransport) {")
    text.indented { text in
      text.line("self.server = server")
      text.line("self.transport = transport")
    }
    text.line("}")
  }

  private mutating func registration() {
    text.blank()
    let calls = calls
    text.block("\(access)func register(_ handlers: inout MessageHandlers)") { text in
      for call in calls { text.line("handlers.on(call: \(call.type).self, at: server, through: transport)") }
    }
  }
}

extension Scaffold.Environment {
  /// Its case of the framework's `AppEnvironment`.
  fileprivate var swiftCase: String {
    switch self {
    case .dev: ".development"
    case .test: ".test"
    case .staging: ".staging"
    case .release: ".release"
    }
  }
}
