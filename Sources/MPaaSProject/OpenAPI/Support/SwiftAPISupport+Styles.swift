extension SwiftAPISupport {
  static let styles = #"""
    /// The places of parameters in a request.
    public enum APIPlace: Sendable, Hashable {
      case path, query, header, cookie
      /// The whole query as one value.
      case querystring
    }

    /// The ways in which values are written in text (OpenAPI, “Style Values”; RFC 6570).
    enum APIStyle: Sendable {
      case matrix, label, simple, form, spaceDelimited, pipeDelimited, deepObject, cookie
    }

    /// The form of a value as far as text does not show it: `7` may be a number or a string.
    indirect enum APIShape: Sendable {
      case any, boolean, integer, number, string
      case array(APIShape, item: String? = nil, isWrapped: Bool = false)
      case object([APIMember])
      /// The first that fits.
      case oneOf([APIShape])
    }

    /// A member of an object, with what XML calls it.
    struct APIMember: Sendable {
      enum Node: Sendable { case element, attribute, text }
      let name: String
      let shape: APIShape
      let element: String
      let namespace: String?
      let node: Node

      init(
        _ name: String, _ shape: APIShape, element: String? = nil, prefix: String? = nil,
        namespace: String? = nil, node: Node = .element
      ) {
        self.name = name
        self.shape = shape
        self.element = element ?? (prefix.map { $0 + ":" } ?? "") + name
        self.namespace = namespace
        self.node = node
      }
    }

    extension APIShape {
      /// The shape that a value with parts has; of several the first that has parts.
      var parts: APIShape {
        if case .oneOf(let shapes) = self {
          return shapes.first { $0.isArray || $0.isObject } ?? shapes.first ?? .any
        }
        return self
      }

      var isArray: Bool { if case .array = self { true } else { false } }
      var isObject: Bool { if case .object = self { true } else { false } }

      var element: APIShape { if case .array(let shape, _, _) = parts { shape } else { .any } }

      func member(_ name: String) -> APIShape {
        guard case .object(let members) = parts else { return .any }
        return members.first { $0.name == name }?.shape ?? .any
      }

      /// The value that a text means; what does not fit stays a text, so that it is told what is wrong with it.
      func value(_ text: String) -> JSONValue {
        fitting(text) ?? .string(text)
      }

      private func fitting(_ text: String) -> JSONValue? {
        switch self {
        case .string: return .string(text)
        case .boolean: return text == "true" ? .bool(true) : text == "false" ? .bool(false) : nil
        case .integer: return Int(text).map { .integer($0) } ?? UInt64(text).map { .unsigned($0) }
        case .number: return number(text)
        case .any:
          if text == "null" { return .null }
          return APIShape.boolean.fitting(text) ?? number(text)
        case .array, .object: return try? APIText.json(Array(text.utf8))
        case .oneOf(let shapes):
          for shape in shapes { if let value = shape.fitting(text) { return value } }
          return nil
        }
      }

      private func number(_ text: String) -> JSONValue? {
        guard let first = text.utf8.first, first == 0x2d || 0x30...0x39 ~= first,
          let value = try? APIText.json(Array(text.utf8)), value.double != nil
        else { return nil }
        return value
      }
    }

    extension APIText {
      /// Percent-encodes all but what is unreserved (RFC 3986), and what is reserved where that may stand.
      static func encoded(_ text: String, keepsReserved: Bool = false) -> String {
        var bytes: [UInt8] = []
        let digits = Array("0123456789ABCDEF".utf8)
        let all = Array(text.utf8)
        for (index, byte) in all.enumerated() {
          let isTriple =
            keepsReserved && byte == 0x25 && index + 2 < all.count && isHex(all[index + 1])
            && isHex(all[index + 2])
          if isUnreserved(byte) || isTriple || keepsReserved && ":/?#[]@!$&'()*+,;=".utf8.contains(byte) {
            bytes.append(byte)
          } else {
            bytes += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
          }
        }
        return String(decoding: bytes, as: UTF8.self)
      }

      private static func isHex(_ byte: UInt8) -> Bool {
        0x30...0x39 ~= byte || 0x41...0x46 ~= byte || 0x61...0x66 ~= byte
      }

      private static func isUnreserved(_ byte: UInt8) -> Bool {
        0x30...0x39 ~= byte || 0x41...0x5a ~= byte || 0x61...0x7a ~= byte || "-._~".utf8.contains(byte)
      }

      /// Takes percent encoding away; what is none stays.
      static func decoded(_ text: some StringProtocol, plus: Bool = false) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
          if byte == 0x25, rest.count >= 2,
            let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
          {
            bytes.append(value)
            rest = rest.dropFirst(2)
          } else {
            bytes.append(byte == 0x2b && plus ? 0x20 : byte)
          }
        }
        return String(decoding: bytes, as: UTF8.self)
      }

      /// The pairs of a query or a form; names are decoded, values are not.
      static func pairs(_ query: String, plus: Bool = false) -> [(name: String, value: String)] {
        query.split(separator: "&" as Character).map { pair in
          let equals = pair.firstIndex(of: "=") ?? pair.endIndex
          let value = equals == pair.endIndex ? "" : String(pair[pair.index(after: equals)...])
          return (decoded(pair[..<equals], plus: plus), value)
        }
      }

      /// The text of a value that has no parts, and the JSON of one that has.
      static func text(_ value: JSONValue) -> String {
        switch value {
        case .null: ""
        case .string(let text): text
        default: String(decoding: json(value), as: UTF8.self)
        }
      }

      static func header(_ name: String, _ headers: [APIHeader]) -> String? {
        let name = name.lowercased()
        let values = headers.filter { $0.name.lowercased() == name }.map(\.value)
        return values.isEmpty ? nil : values.joined(separator: ", ")
      }

      static func cookie(_ name: String, _ headers: [APIHeader]) -> String? {
        cookies(headers).first { $0.name == name }?.value
      }

      static func cookies(_ headers: [APIHeader]) -> [(name: String, value: String)] {
        let fields = headers.filter { $0.name.lowercased() == "cookie" }
        return fields.flatMap { $0.value.split(separator: ";" as Character) }.map { pair in
          let pair = pair.drop { $0 == " " }
          let equals = pair.firstIndex(of: "=") ?? pair.endIndex
          let value = equals == pair.endIndex ? "" : String(pair[pair.index(after: equals)...])
          return (String(pair[..<equals]), value)
        }
      }

      static func addCookie(_ pair: String, to headers: inout [APIHeader]) {
        if let index = headers.firstIndex(where: { $0.name.lowercased() == "cookie" }) {
          headers[index].value += "; " + pair
        } else {
          headers.append(APIHeader("Cookie", pair))
        }
      }

      static func base64(_ bytes: [UInt8]) -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var text: [UInt8] = []
        var rest = bytes[...]
        while !rest.isEmpty {
          let group = Array(rest.prefix(3))
          rest = rest.dropFirst(3)
          var value = 0
          for index in 0..<3 { value = value << 8 | Int(index < group.count ? group[index] : 0) }
          for index in 0..<4 {
            text.append(index <= group.count ? letters[value >> (18 - 6 * index) & 63] : 0x3d)
          }
        }
        return String(decoding: text, as: UTF8.self)
      }

      static func base64(_ text: String) -> [UInt8]? {
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
        let table = Dictionary(letters.enumerated().map { ($1, $0) }) { first, _ in first }
        var bytes: [UInt8] = []
        var (value, bits) = (0, 0)
        for byte in text.utf8 where byte != 0x3d {
          guard let digit = table[byte] else { return nil }
          value = (value << 6 | digit) & 0xffff
          bits += 6
          if bits >= 8 {
            bits -= 8
            bytes.append(UInt8(truncatingIfNeeded: value >> bits))
          }
        }
        return bytes
      }
    }

    """#
}
