import MPaaSSupport

extension HTTP1Head {
  /// The statements of a head's fields about its framing.
  struct Fields {
    enum Transfer { case none, chunked, other }

    var contentLength: Int64?
    var hosts = 0
    /// The words of Connection, in small letters.
    var connection: [String] = []
    var upgrade: String?
    var expectsContinue = false
    var lengthRefusal: HTTPRefusal?
    /// The codings of Transfer-Encoding, in small letters.
    private var codings: [String] = []

    /// The coding of the body.
    ///
    /// Length and coding together are the door of request smuggling (RFC 9112 section 6.1).
    func transfer() throws(HTTPRefusal) -> Transfer {
      if codings.isEmpty { return .none }
      guard contentLength == nil else {
        throw HTTPRefusal(400, "The head has both Content-Length and Transfer-Encoding.")
      }
      guard !codings.dropLast().contains("chunked") else {
        throw HTTPRefusal(400, "The Transfer-Encoding names chunked before its end.")
      }
      return codings.last == "chunked" ? .chunked : .other
    }

    /// Reads fields to the empty line.
    mutating func read(_ bytes: Slice<UnsafeRawBufferPointer>) throws(HTTPRefusal) {
      var rest = bytes
      while let first = rest.first, first != HTTP1Bytes.carriageReturn {
        var at = rest.startIndex
        while at < rest.endIndex, HTTP1Bytes.isToken(rest[at]) { at += 1 }
        guard at > rest.startIndex else {
          throw HTTPRefusal(
            400, HTTP1Bytes.isSpace(first) ? "A field is folded over two lines." : "A line has no field name.")
        }
        guard at < rest.endIndex, rest[at] == UInt8(ascii: ":") else {
          throw HTTPRefusal(400, "A field name is not followed by a colon.")
        }
        let name = rest[rest.startIndex..<at]
        var end = at + 1
        while end < rest.endIndex, HTTP1Bytes.isValue(rest[end]) { end += 1 }
        guard end + 1 < rest.endIndex, rest[end] == 13, rest[end + 1] == 10 else {
          throw HTTPRefusal(400, "A field has a control character, or does not end with CR LF.")
        }
        try take(name, rest[(at + 1)..<end])
        rest = rest[(end + 2)...]
      }
      guard rest.elementsEqual("\r\n".utf8) else { throw HTTPRefusal(400, "The head does not end with an empty line.") }
    }

    /// Only the fields that matter are looked at closer: their lengths tell most others apart.
    private mutating func take(
      _ name: Slice<UnsafeRawBufferPointer>, _ value: Slice<UnsafeRawBufferPointer>
    ) throws(HTTPRefusal) {
      switch name.count {
      case 4 where name.isWord("host"): hosts += 1
      case 6 where name.isWord("expect"):
        guard value.trimmed.isWord("100-continue") else {
          throw HTTPRefusal(417, "The only expectation that is known is 100-continue.")
        }
        expectsContinue = true
      case 7 where name.isWord("upgrade"): upgrade = (upgrade.map { $0 + "," } ?? "") + value.trimmed.lowercasedText
      case 10 where name.isWord("connection"): connection += value.words
      case 14 where name.isWord("content-length"): takeLength(value.trimmed)
      case 17 where name.isWord("transfer-encoding"): codings += value.words
      default: break
      }
    }

    private mutating func takeLength(_ digits: Slice<UnsafeRawBufferPointer>) {
      guard !digits.isEmpty, digits.count <= 18, digits.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else {
        lengthRefusal = HTTPRefusal(400, "The Content-Length is not a number.")
        return
      }
      if contentLength != nil { lengthRefusal = HTTPRefusal(400, "The head has two Content-Length fields.") }
      contentLength = digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }
  }
}

extension Slice<UnsafeRawBufferPointer> {
  /// Tells whether it is this word, in large or small letters.
  fileprivate func isWord(_ word: StaticString) -> Bool {
    count == word.utf8CodeUnitCount
      && word.withUTF8Buffer { word in zip(self, word).allSatisfy { $0.lowercasedASCII == $1 } }
  }

  /// Without spaces and tabs at its ends.
  fileprivate var trimmed: Self {
    var slice = self
    while let first = slice.first, HTTP1Bytes.isSpace(first) { slice.removeFirst() }
    while let last = slice.last, HTTP1Bytes.isSpace(last) { slice.removeLast() }
    return slice
  }

  fileprivate var lowercasedText: String { String(decoding: self.map(\.lowercasedASCII), as: UTF8.self) }

  /// The words of a list with commas, in small letters.
  fileprivate var words: [String] {
    lowercasedText.split(separator: ",").map { word in
      String(decoding: word.utf8.drop(while: HTTP1Bytes.isSpace).trimmedEnd, as: UTF8.self)
    }.filter { !$0.isEmpty }
  }
}

extension Substring.UTF8View {
  fileprivate var trimmedEnd: Substring.UTF8View {
    var view = self
    while let last = view.last, HTTP1Bytes.isSpace(last) { view.removeLast() }
    return view
  }
}
