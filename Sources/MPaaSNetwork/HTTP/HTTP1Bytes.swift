/// The bytes that may stand where in an HTTP/1.1 message (RFC 9110 section 5.6, RFC 9112).
package enum HTTP1Bytes {
  package static let carriageReturn = UInt8(ascii: "\r")
  package static let lineFeed = UInt8(ascii: "\n")

  /// A letter of a method or of a field's name (`tchar`).
  package static func isToken(_ byte: UInt8) -> Bool { tokens[Int(byte)] }

  /// A letter of a field's value or of a request target: anything but controls; a tab only in values.
  package static func isValue(_ byte: UInt8) -> Bool { (byte >= 0x20 && byte != 0x7f) || byte == 0x09 }

  package static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  private static let tokens: [Bool] = {
    var table = [Bool](repeating: false, count: 256)
    for byte in UInt8(ascii: "0")...UInt8(ascii: "9") { table[Int(byte)] = true }
    for byte in UInt8(ascii: "a")...UInt8(ascii: "z") { table[Int(byte)] = true }
    for byte in UInt8(ascii: "A")...UInt8(ascii: "Z") { table[Int(byte)] = true }
    for byte in "!#$%&'*+-.^_`|~".utf8 { table[Int(byte)] = true }
    return table
  }()
}

/// The reason why a message is not led on, with the answer that its sender gets.
package struct HTTPRefusal: Error, Sendable, Equatable {
  package let status: Int
  /// A sentence for the body.
  package let reason: String

  package init(_ status: Int, _ reason: String) {
    self.status = status
    self.reason = reason
  }
}
