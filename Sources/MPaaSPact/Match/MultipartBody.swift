import MPaaSSupport

/// A body of several parts, each with headers of its own (RFC 2046, section 5.1).
struct MultipartBody {
  struct Part {
    let headers: [PactField]
    let bytes: [UInt8]

    /// The name of a field of a form; nil where there is none.
    var name: String? {
      headers.header("content-disposition")?.first
        .flatMap { MediaType("x/" + $0) }?["name"]
    }

    var type: MediaType {
      headers.header("content-type")?.first.flatMap { MediaType($0) } ?? MediaType(sniffing: bytes)
    }
  }

  static let mostParts = 1000
  let parts: [Part]

  /// Reads the parts; nil where the type names no boundary or the bytes have none.
  init?(_ bytes: [UInt8], _ type: MediaType) {
    guard let boundary = type["boundary"], !boundary.isEmpty else { return nil }
    let delimiter = Array("--\(boundary)".utf8)
    var parts: [Part] = []
    var lines = Lines(bytes)
    var current: [ArraySlice<UInt8>]?
    while let line = lines.next() {
      let bare = line.bare
      guard bare.starts(with: delimiter) else {
        current?.append(line.whole)
        continue
      }
      if let lines = current { parts.append(Self.part(lines)) }
      let rest = bare.dropFirst(delimiter.count)
      if rest.starts(with: "--".utf8) {
        self.parts = parts
        return
      }
      guard rest.allSatisfy({ $0 == 0x20 || $0 == 0x09 }), parts.count < Self.mostParts else { return nil }
      current = []
    }
    return nil
  }

  private static func part(_ lines: [ArraySlice<UInt8>]) -> Part {
    var headers: [PactField] = []
    var rest = lines[...]
    while let line = rest.popFirst() {
      let text = String(decoding: line, as: UTF8.self).trimmed
      if text.isEmpty { break }
      guard let colon = text.firstIndex(of: ":") else { continue }
      headers.append(PactField(text[..<colon].trimmed, [text[text.index(after: colon)...].trimmed]))
    }
    var bytes = Array(rest.joined())
    // The line end before a delimiter belongs to it.
    if bytes.last == 0x0a { bytes.removeLast() }
    if bytes.last == 0x0d { bytes.removeLast() }
    if headers.header("content-transfer-encoding")?.first?.lowercased() == "base64" {
      bytes = Base64.decode(loose: bytes) ?? bytes
    }
    return Part(headers: headers, bytes: bytes)
  }

  /// The lines of bytes, with and without their ends.
  private struct Lines {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    mutating func next() -> (whole: ArraySlice<UInt8>, bare: ArraySlice<UInt8>)? {
      guard !rest.isEmpty else { return nil }
      let end = rest.firstIndex(of: 0x0a).map { $0 + 1 } ?? rest.endIndex
      let whole = rest[rest.startIndex..<end]
      rest = rest[end...]
      var bare = whole
      if bare.last == 0x0a { bare.removeLast() }
      if bare.last == 0x0d { bare.removeLast() }
      return (whole, bare)
    }
  }
}

/// The comparison of bodies of several parts.
struct MultipartMatching {
  let rules: PactRuleCategory
  let isStrict: Bool

  init(_ rules: PactRuleCategory, isStrict: Bool) {
    self.rules = rules
    self.isStrict = isStrict
  }

  func compare(
    _ expected: [UInt8], _ type: MediaType, _ actual: [UInt8], _ actualType: MediaType
  ) -> [PactMismatch] {
    let values = ["format": type.essence, "why": "boundary"]
    guard let own = MultipartBody(expected, type) else {
      return [PactMismatch(.body, "$", .bodyMalformed, values.with("side", "expected"))]
    }
    guard let came = MultipartBody(actual, actualType) else {
      return [PactMismatch(.body, "$", .bodyMalformed, values.with("side", "actual"))]
    }
    var all: [PactMismatch] = []
    for (index, part) in own.parts.enumerated() {
      let name = part.name ?? "\(index)"
      let found = part.name == nil ? came.parts.dropFirst(index).first : came.parts.first { $0.name == part.name }
      if let found {
        all += compare(part, found, at: part.name.map { .field($0) } ?? .index(index))
      } else {
        all.append(PactMismatch(.body, PactPlace.root[name].description, .partMissing, ["name": name]))
      }
    }
    if isStrict, own.parts.count < came.parts.count {
      for (index, part) in came.parts.enumerated()
      where part.name.map({ name in !own.parts.contains { $0.name == name } }) ?? (index >= own.parts.count) {
        let name = part.name ?? "\(index)"
        all.append(PactMismatch(.body, PactPlace.root[name].description, .partUnexpected, ["name": name]))
      }
    }
    return all
  }

  private func compare(
    _ expected: MultipartBody.Part, _ actual: MultipartBody.Part, at token: PactPath.Token
  ) -> [PactMismatch] {
    // Rules for a part are those that begin with its name or its place.
    var own = PactRuleCategory()
    for entry in rules.entries where entry.path.tokens.first == token || entry.path.tokens.first == .star {
      own.add(entry.name, PactPath(Array(entry.path.tokens.dropFirst())), entry.list)
    }
    return BodyMatching(own, isStrict: isStrict).compare(expected.bytes, expected.type, actual.bytes, actual.type)
      .map { mismatch in
        let prefix: PactPlace.Step =
          if case .index(let index) = token { .index(index) } else { .field(expected.name ?? "") }
        let path = PactPlace.root.appending(prefix).description + mismatch.path.dropFirst()
        return PactMismatch(mismatch.part, path, mismatch.reason, mismatch.values)
      }
  }
}
