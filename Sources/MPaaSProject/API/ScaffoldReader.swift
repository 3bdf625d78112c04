import MPaaSJSON
import MPaaSSupport

extension Scaffold {
  /// Reads a scaffold file of Bee Framework 0.3 and later, and the flat files of before.
  ///
  /// Its keys: `title`, `author`, `source`, `prefix`, `server`, `enum`, `model`, `controller` (plurals too). Flat files
  /// have models and calls beside them. A field's type is that of its sample; `"{NAME}"` is a model, `"<NAME>"` an
  /// enumeration, `!` before a name marks what is required, `"NAME < PARENT"` has the parent's fields too.
  ///
  /// - Parameter file: What errors call the file.
  /// - Throws: `GenerationError` with line and column.
  /// - Source: tools/scaffold/scaffold.md of Bee Framework 0.5, and the files that its tool read.
  package init(_ bytes: [UInt8], file: String) throws(GenerationError) {
    let document = try JSONSource(bytes, file: file, .annotated).root
    var reader = ScaffoldReader(file: file)
    self = try reader.read(document)
  }
}

/// Builds a scaffold from its document.
struct ScaffoldReader {
  typealias Member = JSONNode.Member

  let file: String
  var notes: [GenerationError] = []
  var models: [Scaffold.Model] = []
  /// Models that stand as samples inside others; they come behind those of the file.
  var embedded: [Scaffold.Model] = []
  var calls: [Scaffold.Call] = []
  var body = Scaffold.Body.json
  var headers: [Scaffold.Field] = []

  init(file: String) {
    self.file = file
  }

  mutating func read(_ document: JSONNode) throws(GenerationError) -> Scaffold {
    let members = try object(document, "scaffold")
    let sections = Dictionary(members.map { (Self.section($0.name), $0) }) { first, _ in first }
    let enumerations =
      try sections["enum"].map { member throws(GenerationError) in try self.enumerations(member) } ?? []
    if let member = sections["body"] { body = try body(member, "scaffold") }
    if let member = sections["headers"] { headers = try headers(member) }
    try readTypesAndCalls(members, sections)
    guard !models.isEmpty || !calls.isEmpty || !enumerations.isEmpty else {
      throw error(.scaffoldEmpty, at: document.position)
    }
    let servers = try sections["server"].map { member throws(GenerationError) in try self.servers(member) } ?? []
    if servers.isEmpty, let call = calls.first(where: { !$0.url.isAbsolute }) {
      notes.append(error(.scaffoldNoServer, ["call": call.title], at: call.position))
    }
    let scaffold = Scaffold(
      title: try text(sections["title"]), author: try text(sections["author"]), source: try text(sections["source"]),
      prefix: try text(sections["prefix"]) ?? "", servers: servers, enumerations: enumerations,
      models: models + embedded, calls: calls, notes: notes)
    try ScaffoldCheck(scaffold, file: file).run()
    return scaffold
  }

  /// The name of a section, whichever number it is written in.
  private static func section(_ name: String) -> String {
    switch name {
    case "servers": "server"
    case "enums": "enum"
    case "models": "model"
    case "controllers": "controller"
    default: name
    }
  }

  private static let sections: Set = [
    "title", "author", "source", "prefix", "shortname", "server", "enum", "model", "controller", "body", "headers",
  ]

  private mutating func readTypesAndCalls(
    _ members: [Member], _ sections: [String: Member]
  ) throws(GenerationError) {
    let hasSections = sections["model"] != nil || sections["controller"] != nil
    if let member = sections["model"] {
      for model in try object(member.value, member.name) { try addModel(model) }
    }
    if let member = sections["controller"] {
      for call in try object(member.value, member.name) { try addCall(call) }
    }
    for member in members where !Self.sections.contains(Self.section(member.name)) {
      if Self.isCall(member.name) {
        try addCall(member)
      } else if !hasSections {
        try addModel(member)
      } else {
        noteUnknown(member, among: Self.sections)
      }
    }
  }

  /// Tells whether a key has the form of a call: a method and a URL.
  static func isCall(_ key: String) -> Bool {
    let words = key.split(separator: " ", omittingEmptySubsequences: true)
    guard let first = words.first else { return false }
    let method = first.hasPrefix("-") ? first.dropFirst() : first
    return words.count > 1 && methods.contains(method.uppercased()) || method.isEmpty
  }

  static let methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
}

// MARK: What all parts use

extension ScaffoldReader {
  func error(
    _ code: GenerationError.Code, _ values: [String: String] = [:], at position: TextPosition,
    details: [Diagnostic.Detail] = []
  ) -> GenerationError {
    let place = Place.text(file: file, line: position.line, column: position.column)
    return GenerationError(code, values, at: place, details: details)
  }

  func object(_ json: JSONNode, _ name: String) throws(GenerationError) -> [Member] {
    guard let members = json.members else { throw wrongKind(json, name, expected: "object") }
    return members
  }

  func text(_ member: Member?) throws(GenerationError) -> String? {
    guard let member, member.value.content != .null else { return nil }
    guard let text = member.value.string else { throw wrongKind(member.value, member.name, expected: "string") }
    return text
  }

  func wrongKind(_ json: JSONNode, _ name: String, expected: String) -> GenerationError {
    error(.scaffoldWrongKind, ["name": name, "kind": json.kind.rawValue, "expected": expected], at: json.position)
  }

  mutating func noteUnknown(_ member: Member, among names: some Sequence<String>) {
    let near = closestMatch(to: member.name, among: names.sorted())
    notes.append(
      error(.scaffoldUnknownKey, ["name": member.name], at: member.position, details: Self.suggestion(near)))
  }

  static func suggestion(_ name: String?) -> [Diagnostic.Detail] {
    name.map { [Diagnostic.Detail("text.scaffold-did-you-mean", ["name": $0])] } ?? []
  }

  /// The names and marks of a key: `!name`, `NAME < PARENT`.
  static func unmarked(_ key: String) -> (name: String, isMarked: Bool) {
    let bare = key.trimmed
    return bare.hasPrefix("!") ? (bare.dropFirst().trimmed, true) : (bare, false)
  }
}

// MARK: Servers and enumerations

extension ScaffoldReader {
  private static let environments: [String: Scaffold.Environment] = [
    "production": .release, "product": .release, "prod": .release, "release": .release, "development": .dev,
    "develop": .dev, "dev": .dev, "test": .test, "testing": .test, "staging": .staging, "pre": .staging,
  ]

  private mutating func servers(_ member: Member) throws(GenerationError) -> [Scaffold.Server] {
    if member.value.string != nil { return [try server(.release, member)] }
    var servers: [Scaffold.Server] = []
    for member in try object(member.value, member.name) where member.value.content != .null {
      guard let environment = Self.environments[member.name.lowercased()] else {
        let near = closestMatch(to: member.name, among: Self.environments.keys.sorted())
        throw error(.scaffoldBadServer, ["name": member.name], at: member.position, details: Self.suggestion(near))
      }
      if let index = servers.firstIndex(where: { $0.environment == environment }) {
        let line = String(servers[index].position.line)
        throw error(.scaffoldNameTwice, ["name": member.name, "line": line], at: member.position)
      }
      servers.append(try server(environment, member))
    }
    return servers.sorted { Self.order($0.environment) < Self.order($1.environment) }
  }

  private static func order(_ environment: Scaffold.Environment) -> Int {
    Scaffold.Environment.allCases.firstIndex(of: environment) ?? 0
  }

  private mutating func server(
    _ environment: Scaffold.Environment, _ member: Member
  ) throws(GenerationError) -> Scaffold.Server {
    guard let url = member.value.string?.trimmed else {
      throw wrongKind(member.value, member.name, expected: "string")
    }
    let hasScheme = url.lowercased().hasPrefix("http://") || url.lowercased().hasPrefix("https://")
    let isPlain = !url.isEmpty && !url.contains { $0.isWhitespace || $0 == "\"" || $0 == "\\" }
    guard isPlain, hasScheme || !url.contains("://") else {
      throw error(.scaffoldBadURL, ["url": url, "call": member.name], at: member.value.position)
    }
    if !hasScheme { notes.append(error(.scaffoldPlainServer, ["url": url], at: member.value.position)) }
    return Scaffold.Server(environment: environment, url: hasScheme ? url : "http://" + url, position: member.position)
  }

  private mutating func enumerations(_ member: Member) throws(GenerationError) -> [Scaffold.Enumeration] {
    var enumerations: [Scaffold.Enumeration] = []
    for member in try object(member.value, member.name) { enumerations.append(try enumeration(member)) }
    return enumerations
  }

  private mutating func enumeration(_ member: Member) throws(GenerationError) -> Scaffold.Enumeration {
    var cases: [Scaffold.Case] = []
    var lines: [Scaffold.Case.Value: Int] = [:]
    let name = member.name.trimmed
    for choice in try object(member.value, member.name) {
      let value: Scaffold.Case.Value? =
        switch choice.value.content {
        case .string(let text): .text(text)
        case .number(let number): Int(number.text).map { .number($0) }
        default: nil
        }
      let first = cases.first?.value
      guard let value, first.map({ $0.isText == value.isText }) ?? true else {
        throw error(.scaffoldBadEnumeration, ["name": name, "case": choice.name], at: choice.value.position)
      }
      if let line = lines.updateValue(choice.position.line, forKey: value) {
        throw error(
          .scaffoldValueTwice, ["name": name, "case": choice.name, "line": String(line)], at: choice.value.position)
      }
      cases.append(Scaffold.Case(name: choice.name.trimmed, value: value, comment: choice.comment))
    }
    guard !cases.isEmpty else {
      throw error(.scaffoldBadEnumeration, ["name": name, "case": "{}"], at: member.value.position)
    }
    return Scaffold.Enumeration(name: name, cases: cases, comment: member.comment, position: member.position)
  }
}

extension Scaffold.Case.Value {
  fileprivate var isText: Bool {
    if case .text = self { true } else { false }
  }
}
