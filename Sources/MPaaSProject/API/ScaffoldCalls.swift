import MPaaSJSON
import MPaaSSupport

// Calls of a scaffold file.

extension ScaffoldReader {
  private static let keys: Set = [
    "request", "response", "fileList", "files", "parameters", "headers", "body", "alias", "name", "desc", "description",
    "__desc__",
  ]

  /// Adds a call: `"GET /shots/:id" : { "request" : …, "response" : … }`; one whose key begins with `-` is passed over.
  mutating func addCall(_ member: Member) throws(GenerationError) {
    guard !member.name.trimmed.hasPrefix("-") else {
      notes.append(error(.scaffoldCallSkipped, ["call": member.name], at: member.position))
      return
    }
    let words = member.name.split(whereSeparator: \.isWhitespace)
    guard words.count == 2 else { throw error(.scaffoldBadCall, ["call": member.name], at: member.position) }
    let method = words[0].uppercased()
    guard Self.methods.contains(method) else {
      let near = closestMatch(to: method, among: Self.methods)
      throw error(
        .scaffoldBadMethod, ["call": member.name, "method": String(words[0])], at: member.position,
        details: Self.suggestion(near))
    }
    guard let url = URLTemplate(String(words[1])), url.text.allSatisfy(Self.isOfURL) else {
      throw error(.scaffoldBadURL, ["url": String(words[1]), "call": member.name], at: member.position)
    }
    if let other = calls.first(where: { $0.method == method && $0.url == url }) {
      let line = String(other.position.line)
      throw error(.scaffoldNameTwice, ["name": other.title, "line": line], at: member.position)
    }
    calls.append(try call(method, url, member))
  }

  private static func isOfURL(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || "-._~:/?#[]@!$&'()*+,;=%{}".contains(character)
  }

  private mutating func call(
    _ method: String, _ url: URLTemplate, _ member: Member
  ) throws(GenerationError) -> Scaffold.Call {
    let title = "\(method) \(url.text)"
    let details = member.value.members ?? []
    let isWhole = details.isEmpty || !details.allSatisfy { Self.keys.contains($0.name) }
    let hasPayloads = details.contains { $0.name == "request" || $0.name == "response" }
    // Flat files of before 0.3: what stands there is the response.
    let known = isWhole && !hasPayloads ? [] : details
    for detail in known where !Self.keys.contains(detail.name) { noteUnknown(detail, among: Self.keys) }
    let parts = Dictionary(known.map { ($0.name, $0) }) { first, _ in first }
    let stem = "\(method)_\(url.path)"
    let response = known.isEmpty ? member.value : parts["response"]?.value
    let alias = try text(parts["alias"] ?? parts["name"])
    let owner = alias ?? stem
    let more = try parts["headers"].map { member throws(GenerationError) in try headers(member) } ?? []
    let description = try text(parts["__desc__"] ?? parts["desc"] ?? parts["description"])
    return Scaffold.Call(
      method: method, url: url, alias: alias,
      parameters: try parameters(parts["parameters"], url, title, member.position),
      headers: headers + more,
      files: try files(parts["fileList"] ?? parts["files"], title, method),
      request: try payload(parts["request"]?.value, named: owner + "_request"),
      response: try payload(response, named: owner + "_response"),
      body: try body(parts["body"], title, method),
      comment: [description, member.comment].compactMap(\.self).first, position: member.position)
  }

  /// The type of what is sent or answered; nil where it is nothing.
  private mutating func payload(
    _ sample: JSONNode?, named name: String
  ) throws(GenerationError) -> Scaffold.FieldType? {
    guard let sample, sample.content != .null, sample.content != .object([]) else { return nil }
    return try type(of: sample, owner: name, key: "")
  }

  /// The places of the URL: texts, unless `parameters` has samples of them.
  private mutating func parameters(
    _ member: Member?, _ url: URLTemplate, _ title: String, _ position: TextPosition
  ) throws(GenerationError) -> [Scaffold.Field] {
    var samples =
      try member.map { member throws(GenerationError) in
        try simpleFields(member, code: .scaffoldBadParameter, title)
      } ?? []
    var fields: [Scaffold.Field] = []
    for name in url.parameters {
      guard !fields.contains(where: { $0.name == name }) else {
        throw error(.scaffoldParameterTwice, ["name": name, "call": title], at: position)
      }
      if let index = samples.firstIndex(where: { $0.name == name }) {
        fields.append(samples.remove(at: index))
      } else {
        fields.append(Scaffold.Field(name: name, type: .text, isRequired: true, comment: nil, position: position))
      }
    }
    if let rest = samples.first {
      throw error(.scaffoldBadParameter, ["name": rest.name, "call": title], at: rest.position)
    }
    return fields
  }

  /// Fields that can stand in a line of text: texts, numbers, choices.
  private mutating func simpleFields(
    _ member: Member, code: GenerationError.Code, _ title: String
  ) throws(GenerationError) -> [Scaffold.Field] {
    let fields = try fields(try object(member.value, member.name), of: title)
    for field in fields where !field.type.isSimple {
      throw error(code, ["name": field.name, "call": title], at: field.position)
    }
    return fields
  }

  mutating func headers(_ member: Member) throws(GenerationError) -> [Scaffold.Field] {
    let fields = try simpleFields(member, code: .scaffoldBadHeader, member.name)
    let marks = Set("!#$%&'*+-.^_`|~")
    for field in fields {
      // RFC 9110 section 5.1: a name is a token.
      let isToken = field.name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || marks.contains($0)) }
      guard isToken else {
        throw error(.scaffoldBadHeader, ["name": field.name, "call": member.name], at: field.position)
      }
    }
    return fields
  }

  private func files(
    _ member: Member?, _ title: String, _ method: String
  ) throws(GenerationError) -> [Scaffold.File] {
    guard let member else { return [] }
    var files: [Scaffold.File] = []
    for entry in try object(member.value, member.name) {
      let (name, isMarked) = Self.unmarked(entry.name)
      let kind = (entry.value.string?.trimmed.uppercased()).flatMap(Scaffold.File.Kind.init)
      guard let kind, !name.isEmpty, !Self.bodiless.contains(method) else {
        throw error(.scaffoldBadFile, ["name": name, "call": title], at: entry.position)
      }
      files.append(
        Scaffold.File(
          name: name, kind: kind, isRequired: isMarked, comment: entry.comment, position: entry.position))
    }
    return files
  }

  private static let bodiless: Set = ["GET", "HEAD", "DELETE", "OPTIONS"]

  /// The way in which the request of a call travels: as it says, else as the file says for all, else in the query where
  /// methods have no body by custom.
  private func body(_ member: Member?, _ title: String, _ method: String) throws(GenerationError) -> Scaffold.Body {
    if let member { return try body(member, title) }
    return Self.bodiless.contains(method) ? .query : body
  }

  func body(_ member: Member, _ title: String) throws(GenerationError) -> Scaffold.Body {
    guard let word = try text(member), let body = Scaffold.Body(rawValue: word) else {
      let words = Scaffold.Body.allCases.map(\.rawValue).joined(separator: ", ")
      throw error(
        .scaffoldBadBody, ["call": title, "value": member.value.string ?? member.value.kind.rawValue, "words": words],
        at: member.value.position)
    }
    return body
  }
}

extension Scaffold.FieldType {
  /// Tells whether a value fits into a URL or a header.
  fileprivate var isSimple: Bool {
    switch self {
    case .bool, .whole, .number, .text, .enumeration: true
    case .any, .object, .list, .model: false
    }
  }
}
