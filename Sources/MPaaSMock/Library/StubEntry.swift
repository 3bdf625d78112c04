import MPaaSJSON

/// A stub as it lies among others, with what its answers are made of.
final class StubEntry: Sendable {
  let stub: StubMapping
  /// From 1; the newest has the highest number.
  let sequence: Int
  let priority: Int
  let body: Body
  private let headers: [(name: String, value: Template)]
  private let proxyBase: Template?

  enum Body: Sendable {
    case fixed([UInt8])
    case template(Template)
    /// A file whose name is a template, and whose content is one where `isTemplate`.
    case file(Template, isTemplate: Bool)
  }

  /// - Throws: The path of a template that cannot be read.
  init(_ stub: StubMapping, sequence: Int) throws(StubProblem) {
    self.stub = stub
    self.sequence = sequence
    priority = stub.priority ?? StubMapping.usualPriority
    let response = stub.response
    let isTemplate = response.isTemplate
    switch response.body {
    case .none: body = .fixed([])
    case .bytes(let bytes): body = .fixed(bytes)
    case .text(let text):
      body = isTemplate ? .template(try Self.template(text, "/response/body")) : .fixed(Array(text.utf8))
    case .json(let node):
      body = isTemplate ? .template(try Self.template(node.line, "/response/jsonBody")) : .fixed(Array(node.line.utf8))
    case .file(let name): body = .file(try Self.template(name, "/response/bodyFileName"), isTemplate: isTemplate)
    }
    var headers: [(name: String, value: Template)] = []
    if isTemplate {
      for header in response.headers {
        let path = StubReader.pointer("/response/headers", header.name)
        for value in header.values { headers.append((header.name, try Self.template(value, path))) }
      }
    }
    self.headers = headers
    proxyBase =
      try isTemplate
      ? response.proxying.map { given throws(StubProblem) in
        try Self.template(given.baseURL, "/response/proxyBaseUrl")
      } : nil
  }

  /// The same with another place among others.
  init(copying entry: StubEntry, sequence: Int) {
    (stub, priority, body) = (entry.stub, entry.priority, entry.body)
    (headers, proxyBase) = (entry.headers, entry.proxyBase)
    self.sequence = sequence
  }

  private static func template(_ text: String, _ pointer: String) throws(StubProblem) -> Template {
    do throws(TemplateError) { return try Template(text) } catch {
      throw StubProblem(pointer, "is no template: \(error.reason), in line \(error.line)")
    }
  }

  /// Tells if it comes before another when both fit.
  func comes(before other: StubEntry) -> Bool {
    priority == other.priority ? sequence > other.sequence : priority < other.priority
  }

  /// The answer to a request.
  func answer(_ facts: RequestFacts, _ world: MockWorld) -> MockAnswer {
    let response = stub.response
    var answer = MockAnswer(response.status)
    answer.reason = response.reason
    answer.fault = response.fault
    answer.dribble = response.dribble
    answer.proxying = response.proxying
    answer.delay = delay(world)
    guard response.isTemplate else {
      for header in response.headers { for value in header.values { answer.headers.append((header.name, value)) } }
      fill(&answer, nil, world)
      return answer
    }
    let context = world.context(facts, stub)
    for header in headers {
      // A line end in a header would begin another one.
      let value = header.value.text(context).filter { $0 != "\n" && $0 != "\r" && $0 != "\r\n" && $0 != "\0" }
      answer.headers.append((header.name, value))
    }
    if let proxyBase { answer.proxying?.baseURL = proxyBase.text(context) }
    fill(&answer, context, world)
    return answer
  }

  private func fill(_ answer: inout MockAnswer, _ context: TemplateContext?, _ world: MockWorld) {
    switch body {
    case .fixed(let bytes): answer.body = bytes
    case .template(let template):
      if let context { answer.body = Array(template.text(context).utf8) }
    case .file(let name, let isTemplate):
      let plain = TemplateContext(values: .nothing, now: world.now(), random: world.random)
      let path = name.text(context ?? plain)
      guard let bytes = world.files.read(path) else {
        answer = MockAnswer(500, headers: [("Content-Type", "text/plain")], body: Array("No such file: \(path)".utf8))
        return
      }
      guard isTemplate, let context, let template = try? Template(String(decoding: bytes, as: UTF8.self)) else {
        answer.body = bytes
        return
      }
      answer.body = Array(template.text(context).utf8)
    }
  }

  private func delay(_ world: MockWorld) -> Double {
    let response = stub.response
    guard response.fixedDelay != nil || response.delay != nil else { return 0 }
    var random = world.random.generator
    return Double(response.fixedDelay ?? 0) + (response.delay?.milliseconds(&random) ?? 0)
  }
}
