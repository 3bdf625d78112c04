import MPaaSJSON
import MPaaSSupport

/// The world around stubs: time, randomness, files, names of the machine.
package struct MockWorld: Sendable {
  /// Seconds since 1970.
  package var now: @Sendable () -> Double
  package var random: MockRandom
  package var files: MockFiles
  package var hostName = "localhost"
  package var environment: [String: String] = [:]

  package init(
    now: @escaping @Sendable () -> Double, random: MockRandom = MockRandom(), files: MockFiles = MockFiles.none
  ) {
    self.now = now
    self.random = random
    self.files = files
  }

  /// The view that a template has of a request to a stub.
  func context(_ facts: RequestFacts, _ stub: StubMapping) -> TemplateContext {
    var values: [(name: String, value: TemplateValue)] = [("request", facts.template(stub))]
    if let parameters = stub.response.transformerParameters { values.append(("parameters", .json(parameters))) }
    return TemplateContext(
      values: .members(values, ignoresCase: false), now: facts.now, random: random, hostName: hostName,
      environment: environment)
  }
}

/// The bodies that stubs have in files.
package struct MockFiles: Sendable {
  /// Reads a file by its path below the folder; nil where there is none.
  package var read: @Sendable (String) -> [UInt8]?
  package var names: @Sendable () -> [String]
  /// Writes a file; false where that is not possible.
  package var write: @Sendable (String, [UInt8]) -> Bool
  package var remove: @Sendable (String) -> Void

  package init(
    read: @escaping @Sendable (String) -> [UInt8]?, names: @escaping @Sendable () -> [String],
    write: @escaping @Sendable (String, [UInt8]) -> Bool, remove: @escaping @Sendable (String) -> Void
  ) {
    self.read = read
    self.names = names
    self.write = write
    self.remove = remove
  }

  package static var none: MockFiles {
    MockFiles(read: { _ in nil }, names: { [] }, write: { _, _ in false }, remove: { _ in })
  }

  /// Tells if a path stays below the folder.
  package static func isInside(_ path: String) -> Bool {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    return !path.isEmpty && !path.hasPrefix("/") && !path.utf8.contains(0)
      && parts.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." }
  }
}

extension RequestFacts {
  /// The request as templates see it.
  func template(_ stub: StubMapping) -> TemplateValue {
    let segments = path.split(separator: "/").map { PercentEncoding.decodeLeniently($0.utf8) }
    var pathMembers: [(name: String, value: TemplateValue)] = segments.enumerated().map { ("\($0)", .text($1)) }
    if case .pathTemplate(let template) = stub.request.url, let values = template.values(in: String(path)) {
      pathMembers += values.map { ($0.name, .text(PercentEncoding.decodeLeniently($0.value.utf8))) }
    }
    let base = request.absoluteURL.dropLast(request.target.count)
    return .members(
      [
        ("method", .text(request.method)), ("url", .text(request.target)),
        ("path", pathMembers.isEmpty ? .text(String(path)) : .shown(String(path), members: pathMembers)),
        ("pathSegments", .list(segments.map { .text($0) })), ("query", Self.grouped(query, ignoresCase: false)),
        ("queryFull", .text(String(request.query ?? ""))),
        ("headers", Self.grouped(request.headers, ignoresCase: true)),
        ("cookies", Self.grouped(cookies, ignoresCase: false)), ("body", .text(body.text)),
        ("bodyAsBase64", .text(Base64.encode(request.body))), ("scheme", .text(request.scheme)),
        ("host", .text(request.host)), ("port", .json(.whole(request.port))), ("baseUrl", .text(String(base))),
        ("absoluteUrl", .text(request.absoluteURL)), ("clientIp", .text(request.client)),
        ("parts", .members(parts.map { ($0.name ?? "", Self.template($0)) }, ignoresCase: false)),
        ("multipart", .flag(!parts.isEmpty)),
      ], ignoresCase: false)
  }

  private static func grouped(_ pairs: [(name: String, value: String)], ignoresCase: Bool) -> TemplateValue {
    var values: [(name: String, value: TemplateValue)] = []
    for pair in pairs {
      let index = values.firstIndex {
        $0.name == pair.name || (ignoresCase && MockRequest.isSame($0.name, pair.name))
      }
      if let index, case .values(let known) = values[index].value {
        values[index].value = .values(known + [pair.value])
      } else {
        values.append((pair.name, .values([pair.value])))
      }
    }
    return .members(values, ignoresCase: ignoresCase)
  }

  private static func template(_ part: MultipartBody.Part) -> TemplateValue {
    .members(
      [
        ("name", .text(part.name ?? "")), ("filename", .text(part.fileName ?? "")),
        ("headers", grouped(part.headers, ignoresCase: true)),
        ("body", .text(String(decoding: part.body, as: UTF8.self))),
        ("bodyAsBase64", .text(Base64.encode(part.body))), ("binary", .flag(false)),
      ], ignoresCase: false)
  }
}
