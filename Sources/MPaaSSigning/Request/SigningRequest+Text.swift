import MPaaSSupport

extension SigningRequest {
  /// Reads a request as people keep it: a message of HTTP, or a line that begins with `curl`.
  ///
  /// ```
  /// POST /test/testSign?c=3&a=1 HTTP/1.1
  /// Content-Type: application/x-www-form-urlencoded
  ///
  /// b=2&d=4
  /// ```
  ///
  /// The body is what follows the blank line, byte for byte.
  ///
  /// - Throws: `SigningError` `signing-request-malformed`.
  package init(text bytes: [UInt8]) throws(SigningError) {
    let start = bytes.drop { $0 <= 0x20 }
    if start.starts(with: "curl".utf8), start.dropFirst(4).first.map({ $0 <= 0x20 }) == true {
      try self.init(curl: String(decoding: start, as: UTF8.self))
    } else {
      try self.init(message: start)
    }
  }

  /// Reads a message of HTTP, whose lines may end with LF alone.
  private init(message: ArraySlice<UInt8>) throws(SigningError) {
    var rest = message
    func next() -> String? {
      guard !rest.isEmpty else { return nil }
      let line = rest.prefix { $0 != 0x0a }
      rest = rest.dropFirst(line.count + 1)
      return String(decoding: line.last == 0x0d ? line.dropLast() : line, as: UTF8.self)
    }
    let words = (next() ?? "").split(separator: " ")
    guard words.count == 2 || words.count == 3, words[0].allSatisfy({ $0.isASCII && $0.isLetter }),
      words.count == 2 || words[2].hasPrefix("HTTP/")
    else { throw Self.malformed("METHOD /path HTTP/1.1") }
    var headers: [RequestField] = []
    while let line = next(), !line.isEmpty {
      guard let field = RequestField(header: line) else { throw Self.malformed(line) }
      headers.append(field)
    }
    self.init(method: String(words[0]), target: String(words[1]), headers: headers, body: Array(rest))
  }

  private static func malformed(_ detail: String) -> SigningError {
    SigningError(.requestMalformed, ["detail": String(detail.prefix(80))])
  }

  /// Reads a call of curl with the options that say what is sent.
  private init(curl line: String) throws(SigningError) {
    guard let words = ShellLine.words(of: line) else { throw Self.malformed("curl '…") }
    var method: String?
    var url: String?
    var headers: [RequestField] = []
    var data: [String] = []
    var rest = words.dropFirst()
    while let word = rest.popFirst() {
      guard word.hasPrefix("-"), word.utf8.count > 1 else {
        guard url == nil else { throw Self.malformed(word) }
        url = word
        continue
      }
      let (name, inner) = Self.option(word)
      if Self.flags.contains(name) { continue }
      guard let value = inner ?? rest.popFirst() else { throw Self.malformed(word) }
      switch name {
      case "-X", "--request": method = value
      case "-H", "--header":
        guard let field = RequestField(header: value) else { throw Self.malformed(value) }
        headers.append(field)
      case "-d", "--data", "--data-raw", "--data-binary", "--data-ascii":
        // Files are not read: what is signed stands in the line.
        guard !value.hasPrefix("@") || name == "--data-raw" else { throw Self.malformed(value) }
        data.append(value)
      case "--url": url = value
      case "-o", "--output", "-A", "--user-agent", "-m", "--max-time", "--connect-timeout", "-x", "--proxy": break
      default: throw Self.malformed(word)
      }
    }
    guard let url else { throw Self.malformed("URL") }
    if !data.isEmpty, headers.header("content-type") == nil {
      headers.append(RequestField("Content-Type", "application/x-www-form-urlencoded"))
    }
    self.init(
      method: method ?? (data.isEmpty ? "GET" : "POST"), target: url, headers: headers,
      body: data.isEmpty ? nil : Array(data.joined(separator: "&").utf8))
  }

  private static let flags: Set<String> = [
    "-s", "-S", "-v", "-k", "-i", "-L", "-f", "-sS", "-g", "--silent", "--show-error", "--verbose", "--insecure",
    "--include", "--location", "--fail", "--compressed", "--http1.1", "--http2", "--globoff",
  ]

  /// The name of an option, and the value that stands in the same word.
  private static func option(_ word: String) -> (name: String, value: String?) {
    if word.hasPrefix("--"), let sign = word.firstIndex(of: "=") {
      return (String(word[..<sign]), String(word[word.index(after: sign)...]))
    }
    guard !word.hasPrefix("--"), word.utf8.count > 2, !flags.contains(word) else { return (word, nil) }
    return (String(word.prefix(2)), String(word.dropFirst(2)))
  }
}

extension RequestField {
  /// Reads `Name: value`; nil where there is no name.
  package init?(header line: some StringProtocol) {
    guard let colon = line.firstIndex(of: ":"), colon != line.startIndex else { return nil }
    var value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
    while value.last == " " || value.last == "\t" { value.removeLast() }
    self.init(String(line[..<colon]), String(value))
  }
}

/// The words of a line as a shell takes them apart, without its expansions.
enum ShellLine {
  /// - Returns: Nil where a quote does not end.
  static func words(of line: String) -> [String]? {
    var words: [String] = []
    var word: String?
    var rest = line.unicodeScalars[...]
    while let next = rest.popFirst() {
      switch next {
      case " ", "\t", "\n", "\r":
        if let done = word { words.append(done) }
        word = nil
      case "\\":
        // A line that goes on below.
        guard let escaped = rest.popFirst() else { return nil }
        if escaped != "\n" { word = (word ?? "") + String(Character(escaped)) }
      case "'", "\"":
        guard let quoted = quoted(next, &rest) else { return nil }
        word = (word ?? "") + quoted
      default: word = (word ?? "") + String(Character(next))
      }
    }
    if let word { words.append(word) }
    return words
  }

  private static func quoted(_ quote: Unicode.Scalar, _ rest: inout Substring.UnicodeScalarView) -> String? {
    var text = String.UnicodeScalarView()
    while let next = rest.popFirst() {
      if next == quote { return String(text) }
      if next == "\\", quote == "\"", let escaped = rest.popFirst() {
        if !"\"\\$`\n".unicodeScalars.contains(escaped) { text.append(next) }
        if escaped != "\n" { text.append(escaped) }
      } else {
        text.append(next)
      }
    }
    return nil
  }
}
