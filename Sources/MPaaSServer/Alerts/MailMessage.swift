import MPaaSSupport

/// A mail of plain text (RFC 5322, with MIME), in bytes as SMTP takes them.
struct MailMessage: Sendable {
  var from: String
  var to: String
  var subject: String
  var text: String
  /// The part of the message id before the sign.
  var id: String
  /// Seconds since 1970.
  var time: Double

  private static let lineWidth = 76
  /// Bytes of one encoded word, so that it has at most 75 characters.
  private static let wordBytes = 42

  var bytes: [UInt8] {
    let host = from.split(separator: "@").last.map(String.init) ?? "localhost"
    let head = [
      "From: mpaas <\(from)>", "To: <\(to)>", "Subject: \(Self.encoded(subject))",
      "Date: \(HTTPDate.text(time).dropLast(3))+0000",
      "Message-ID: <\(id)@\(host)>", "MIME-Version: 1.0", "Content-Type: text/plain; charset=utf-8",
      "Content-Transfer-Encoding: base64", "Auto-Submitted: auto-generated",
    ]
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).joined(separator: "\r\n")
    var digits = Base64.encode(Array(lines.utf8))[...]
    var body: [String] = []
    while !digits.isEmpty {
      body.append(String(digits.prefix(Self.lineWidth)))
      digits = digits.dropFirst(Self.lineWidth)
    }
    return Array((head + [""] + body).map { $0 + "\r\n" }.joined().utf8)
  }

  /// A text as words that headers may have (RFC 2047); none of its characters can end a line.
  static func encoded(_ text: String) -> String {
    var words: [[UInt8]] = [[]]
    for character in text {
      let bytes = character.isNewline ? [0x20] : Array(String(character).utf8)
      if words[words.count - 1].count + bytes.count > wordBytes { words.append([]) }
      words[words.count - 1] += bytes
    }
    return words.map { "=?utf-8?B?\(Base64.encode($0))?=" }.joined(separator: "\r\n ")
  }
}
