import MPaaSSupport
import SwiftASN1

/// The members of a constructed value of ASN.1, taken one after another (ITU-T X.690).
struct ASN1Members {
  private var nodes: ASN1NodeCollection.Iterator

  /// Reads the outermost value in BER: Apple's signatures have lengths that are told by an end mark.
  static func root(of bytes: Bytes) throws(CodeSignatureError) -> ASN1Node {
    try root(of: bytes.array)
  }

  static func root(of bytes: [UInt8]) throws(CodeSignatureError) -> ASN1Node {
    // Each node takes a hundred times its two bytes.
    guard bytes.count <= mostBytes else { throw CodeSignatureError(.tooMany, offset: 0, value: UInt64(bytes.count)) }
    do { return try BER.parse(bytes) } catch { throw CodeSignatureError(.badASN1, offset: 0) }
  }

  private static let mostBytes = 4 << 20

  init(of node: ASN1Node?) throws(CodeSignatureError) {
    guard let node, case .constructed(let nodes) = node.content else { throw CodeSignatureError(.badASN1, offset: 0) }
    self.nodes = nodes.makeIterator()
  }

  /// The next member, whatever it is; nil at the end.
  mutating func next() -> ASN1Node? { nodes.next() }

  /// The next member.
  mutating func any() throws(CodeSignatureError) -> ASN1Node {
    guard let node = nodes.next() else { throw CodeSignatureError(.badASN1, offset: 0) }
    return node
  }

  mutating func sequence() throws(CodeSignatureError) -> ASN1Members {
    let node = try any()
    guard node.identifier == .sequence else { throw CodeSignatureError(.badASN1, offset: 0) }
    return try ASN1Members(of: node)
  }

  mutating func set() throws(CodeSignatureError) -> ASN1Members {
    let node = try any()
    guard node.identifier == .set else { throw CodeSignatureError(.badASN1, offset: 0) }
    return try ASN1Members(of: node)
  }

  /// An object identifier as numbers with dots.
  mutating func identifier() throws(CodeSignatureError) -> String {
    guard let text = try any().objectIdentifier else { throw CodeSignatureError(.badASN1, offset: 0) }
    return text
  }

  /// The identifier of an algorithm; its parameters are not looked at.
  mutating func algorithm() throws(CodeSignatureError) -> String {
    var members = try sequence()
    return try members.identifier()
  }

  /// The member with a tag of the context, where it is the next one.
  mutating func tagged(_ number: UInt) -> ASN1Node? {
    var copy = nodes
    guard let node = copy.next(), node.identifier.tagClass == .contextSpecific, node.identifier.tagNumber == number
    else { return nil }
    nodes = copy
    return node
  }

  /// All that is left.
  var rest: [ASN1Node] {
    var (copy, rest) = (nodes, [ASN1Node]())
    while let node = copy.next() { rest.append(node) }
    return rest
  }
}

extension ASN1Node {
  /// The numbers of an object identifier; nil for other values.
  var objectIdentifier: String? {
    guard identifier == .objectIdentifier, case .primitive(let bytes) = content else { return nil }
    return ObjectIdentifierText.text(of: bytes)
  }

  /// The bytes of a value without members; nil for others.
  var primitive: ArraySlice<UInt8>? {
    if case .primitive(let bytes) = content { bytes } else { nil }
  }

  /// The members of a value that has such, else none.
  var members: [ASN1Node] {
    if case .constructed(let nodes) = content { Array(nodes) } else { [] }
  }

  /// The bytes of an octet string, whose pieces may stand one after another.
  var octets: [UInt8]? {
    switch content {
    case .primitive(let bytes): Array(bytes)
    case .constructed(let nodes):
      nodes.reduce([UInt8]?.some([])) { all, node in
        guard let all, let piece = node.primitive, node.identifier == .octetString else { return nil }
        return all + piece
      }
    }
  }

  /// A string of any of the types that names have.
  var string: String? { primitive.map(decoded) }

  private func decoded(_ bytes: ArraySlice<UInt8>) -> String {
    // BMPString: two bytes a character.
    guard identifier.tagNumber == 30, bytes.count.isMultiple(of: 2) else {
      return String(decoding: bytes, as: UTF8.self)
    }
    let all = Array(bytes)
    let units = stride(from: 0, to: all.count, by: 2).map { UInt16(all[$0]) << 8 | UInt16(all[$0 + 1]) }
    return String(decoding: units, as: UTF16.self)
  }

  /// Seconds since 1970 of a UTCTime or a GeneralizedTime in UTC; nil for others.
  var time: Int? {
    guard let bytes = primitive, let isShort = [23: true, 24: false][identifier.tagNumber] else { return nil }
    let digits = bytes.dropLast()
    guard bytes.last == UInt8(ascii: "Z"), digits.count == (isShort ? 12 : 14),
      digits.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    let numbers = digits.map { Int($0) - 0x30 }
    func pair(_ index: Int) -> Int { numbers[index] * 10 + numbers[index + 1] }
    let yearDigits = isShort ? 2 : 4
    // Years of two digits are those from 1950 to 2049 (RFC 5280, 4.1.2.5.1).
    let year = isShort ? pair(0) + (pair(0) < 50 ? 2000 : 1900) : pair(0) * 100 + pair(2)
    guard let date = CivilDate(year: year, month: pair(yearDigits), day: pair(yearDigits + 2)) else { return nil }
    return date.daysSince1970 * 86_400 + pair(yearDigits + 4) * 3600 + pair(yearDigits + 6) * 60
      + pair(yearDigits + 8)
  }
}
