import MPaaSSupport

/// The facts about a message of the name service to lead it on or to answer it (RFC 1035 section 4).
package struct DNSMessage: Sendable, Equatable {
  package enum Response: UInt8, Sendable {
    case formatError = 1
    case serverFailure = 2
    case nameError = 3
    case notImplemented = 4
    case refused = 5
  }

  /// The reason why a message cannot be understood; what could be read of it is there for an answer.
  package struct Malformed: Error, Equatable {
    package let offset: Int
    /// The answer; nil where not even that is possible.
    package let response: Response?
  }

  package var id: UInt16
  package var flags: UInt16
  /// The name as it is written, in small letters, without a dot at its end; the root is empty.
  package var name: String
  package var type: UInt16
  package var classCode: UInt16
  /// The end of the question.
  package var questionEnd: Int

  package var isResponse: Bool { flags & 0x8000 != 0 }
  package var response: UInt8 { UInt8(flags & 0xf) }

  private static let headerSize = 12

  /// Reads the header and the one question.
  package init(_ bytes: [UInt8]) throws(Malformed) {
    guard bytes.count >= Self.headerSize, bytes.count <= 65_535 else {
      throw Malformed(offset: bytes.count, response: nil)
    }
    id = bytes.word(0)
    flags = bytes.word(2)
    let isQuery = flags & 0x8000 == 0
    guard flags & 0x7800 == 0 else { throw Malformed(offset: 2, response: isQuery ? .notImplemented : nil) }
    guard bytes.word(4) == 1 else { throw Malformed(offset: 4, response: isQuery ? .formatError : nil) }
    let (name, end) = try Self.name(bytes, at: Self.headerSize, response: isQuery ? .formatError : nil)
    guard end + 4 <= bytes.count else { throw Malformed(offset: bytes.count, response: isQuery ? .formatError : nil) }
    self.name = name
    type = bytes.word(end)
    classCode = bytes.word(end + 2)
    questionEnd = end + 4
  }

  /// Reads a name that stands first in its message: nothing stands before it that it could point to.
  private static func name(
    _ bytes: [UInt8], at start: Int, response: Response?
  ) throws(Malformed) -> (name: String, end: Int) {
    var labels: [String] = []
    var at = start
    while at < bytes.count {
      let length = Int(bytes[at])
      if length == 0 { return (labels.joined(separator: "."), at + 1) }
      guard length < 64, at + 1 + length < bytes.count, at + 1 + length - start < 255 else {
        throw Malformed(offset: at, response: response)
      }
      labels.append(bytes[(at + 1)...(at + length)].map(\.asNameText).joined())
      at += 1 + length
    }
    throw Malformed(offset: at, response: response)
  }

  /// An answer without records to the query `bytes`, which may be malformed behind its header.
  package static func answer(_ response: Response, to bytes: [UInt8]) -> [UInt8]? {
    guard bytes.count >= headerSize, bytes[2] & 0x80 == 0 else { return nil }
    let question = (try? DNSMessage(bytes))?.questionEnd
    var answer = Array(bytes[..<(question ?? headerSize)])
    // Response, the query's kind and its wish for recursion; recursion is there.
    answer[2] = 0x80 | (bytes[2] & 0x79)
    answer[3] = 0x80 | response.rawValue
    answer.replaceSubrange(4..<headerSize, with: [0, question == nil ? 0 : 1, 0, 0, 0, 0, 0, 0])
    return answer
  }

  /// Tells whether `other` answers the question of this message.
  package func isAnswered(by other: DNSMessage) -> Bool {
    other.isResponse && other.name == name && other.type == type && other.classCode == classCode
  }

  /// The name of the type asked for: `A`, `AAAA`, else `TYPE64` as RFC 3597 has it.
  package var typeName: String {
    switch type {
    case 1: "A"
    case 2: "NS"
    case 5: "CNAME"
    case 6: "SOA"
    case 12: "PTR"
    case 15: "MX"
    case 16: "TXT"
    case 28: "AAAA"
    case 33: "SRV"
    case 65: "HTTPS"
    default: "TYPE\(type)"
    }
  }
}

extension [UInt8] {
  fileprivate func word(_ offset: Int) -> UInt16 { UInt16(self[offset]) << 8 | UInt16(self[offset + 1]) }
}

extension UInt8 {
  /// A byte of a label as master files write it (RFC 1035 section 5.1).
  fileprivate var asNameText: String {
    switch self {
    case UInt8(ascii: "."), UInt8(ascii: "\\"): return "\\" + String(UnicodeScalar(self))
    case 0x21...0x7e: return String(UnicodeScalar(lowercasedASCII))
    default: return "\\" + padded(to: 3)
    }
  }
}
