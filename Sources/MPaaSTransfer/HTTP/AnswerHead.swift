import MPaaSSupport

/// The head of an answer, as its lines come in; that of the last answer where one led to another.
package struct AnswerHead {
  /// Names in lower case.
  package private(set) var fields: [String: String] = [:]
  /// All values of the names that came more than once, in their order.
  package private(set) var repeated: [String: [String]] = [:]
  /// Tells whether its empty line came: libcurl takes a connection that ends within a head for an answer without a
  /// body.
  package private(set) var isWhole = false
  private var isInterim = false

  /// The words about an answer that was cut.
  package static let cutReason = "the connection ended within the head of the answer"

  package init() {}

  package mutating func take(_ line: String) {
    if line.hasPrefix("HTTP/") {
      (fields, repeated) = ([:], [:])
      isWhole = false
      isInterim = line.split(separator: " ").dropFirst().first?.hasPrefix("1") == true
    } else if line == "\r\n" || line == "\n" {
      isWhole = !isInterim
    }
    guard fields.count < 100, let colon = line.firstIndex(of: ":") else { return }
    let name = line[..<colon].lowercased()
    let value = line[line.index(after: colon)...].trimmed
    guard let before = fields.updateValue(value, forKey: name) else { return }
    guard repeated[name, default: []].count < 100 else { return }
    repeated[name, default: [before]].append(value)
  }

  /// The text that tells this version of the file from all others; nil where nothing does for certain.
  ///
  /// - Source: RFC 9110, 8.8.2.2 and 13.1.5.
  var validator: String? { Self.validator(fields) }

  /// A strong entity tag, or the time of the last change where the answer is at least a second younger: of what changes
  /// twice within a second both versions have the same time.
  static func validator(_ fields: [String: String]) -> String? {
    if let tag = fields["etag"], !tag.hasPrefix("W/") { return tag }
    guard let text = fields["last-modified"], let changed = HTTPDate.seconds(text),
      let answered = fields["date"].flatMap(HTTPDate.seconds), answered >= changed + 1
    else { return nil }
    return text
  }

  /// Tells whether an answer is of the version that `validator` names.
  static func isOf(_ validator: String, _ fields: [String: String]) -> Bool {
    fields["etag"] == validator || fields["last-modified"] == validator
  }

  /// The digests that the answer says the whole file has, and those of its own body; none where the body is compressed,
  /// since they are of what is not unpacked.
  var digests: (file: DigestField, body: DigestField) { Self.digests(fields) }

  static func digests(_ fields: [String: String]) -> (file: DigestField, body: DigestField) {
    guard fields["content-encoding"].map({ $0 == "identity" }) ?? true else { return (DigestField(), DigestField()) }
    return (DigestField(fields["repr-digest"] ?? ""), DigestField(fields["content-digest"] ?? ""))
  }

  /// Bytes of the body as it comes; nil where the answer does not say, or says it of something compressed.
  var length: UInt64? {
    guard fields["transfer-encoding"] == nil, fields["content-encoding"] == nil else { return nil }
    return fields["content-length"].flatMap { UInt64($0) }
  }

  /// The range of the file that a 206 bears: its first byte, and the bytes of the whole where the server knows them.
  ///
  /// - Source: RFC 9110, 14.4.
  var range: (start: UInt64, whole: UInt64?)? {
    guard let text = fields["content-range"], text.hasPrefix("bytes ") else { return nil }
    let parts = text.dropFirst(6).split(separator: "/", omittingEmptySubsequences: false)
    let ends = parts.first?.split(separator: "-", omittingEmptySubsequences: false) ?? []
    guard parts.count == 2, ends.count == 2, let start = UInt64(ends[0]), let last = UInt64(ends[1]), start <= last
    else { return nil }
    guard let whole = UInt64(parts[1]) else { return parts[1] == "*" ? (start, nil) : nil }
    return last < whole ? (start, whole) : nil
  }
}

extension Substring {
  var trimmed: String {
    let start = drop { $0.isWhitespace }
    return String(start.reversed().drop { $0.isWhitespace }.reversed())
  }
}
