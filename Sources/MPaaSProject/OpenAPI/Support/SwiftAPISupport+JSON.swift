extension SwiftAPISupport {
  static let jsonText = #"""
    /// Text and bytes of requests.
    enum APIText {
      // MARK: JSON

      /// The JSON of a value; members in the order of their names.
      static func json(_ value: JSONValue) -> [UInt8] {
        var bytes: [UInt8] = []
        append(value, &bytes)
        return bytes
      }

      private static func append(_ value: JSONValue, _ bytes: inout [UInt8]) {
        switch value {
        case .null: bytes += "null".utf8
        case .bool(let value): bytes += (value ? "true" : "false").utf8
        case .integer(let value): bytes += String(value).utf8
        case .unsigned(let value): bytes += String(value).utf8
        case .number(let value): bytes += (value.isFinite ? "\(value)" : "null").utf8
        case .string(let value): append(value, &bytes)
        case .array(let values):
          bytes.append(0x5b)
          for (index, value) in values.enumerated() {
            if index > 0 { bytes.append(0x2c) }
            append(value, &bytes)
          }
          bytes.append(0x5d)
        case .object(let members):
          bytes.append(0x7b)
          for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
            if index > 0 { bytes.append(0x2c) }
            append(member.key, &bytes)
            bytes.append(0x3a)
            append(member.value, &bytes)
          }
          bytes.append(0x7d)
        }
      }

      private static func append(_ text: String, _ bytes: inout [UInt8]) {
        bytes.append(0x22)
        for byte in text.utf8 {
          switch byte {
          case 0x22, 0x5c: bytes += [0x5c, byte]
          case 0x0a: bytes += "\\n".utf8
          case 0x0d: bytes += "\\r".utf8
          case 0x09: bytes += "\\t".utf8
          case 0..<0x20: bytes += ("\\u00" + (byte < 16 ? "0" : "") + String(byte, radix: 16)).utf8
          default: bytes.append(byte)
          }
        }
        bytes.append(0x22)
      }

      /// Reads JSON (RFC 8259); nested at most 512 deep.
      static func json(_ bytes: [UInt8]) throws -> JSONValue {
        var reader = JSONTextReader(bytes: bytes)
        let value = try reader.value(0)
        reader.skipSpace()
        guard reader.isAtEnd else { throw reader.fault }
        return value
      }
    }

    private struct JSONTextReader {
      let bytes: [UInt8]
      var place = 0

      init(bytes: [UInt8]) { self.bytes = bytes }

      var isAtEnd: Bool { place == bytes.count }
      var fault: JSONProblem { JSONProblem("is no JSON at byte \(place)") }

      mutating func skipSpace() {
        while place < bytes.count, [0x20, 0x0a, 0x0d, 0x09].contains(bytes[place]) { place += 1 }
      }

      private mutating func take(_ byte: UInt8) -> Bool {
        guard place < bytes.count, bytes[place] == byte else { return false }
        place += 1
        return true
      }

      private mutating func word(_ word: StaticString, _ value: JSONValue) throws -> JSONValue {
        for index in 0..<word.utf8CodeUnitCount {
          guard take(word.utf8Start[index]) else { throw fault }
        }
        return value
      }

      mutating func value(_ depth: Int) throws -> JSONValue {
        skipSpace()
        guard place < bytes.count, depth < 512 else { throw fault }
        switch bytes[place] {
        case 0x7b: return try object(depth)
        case 0x5b: return try array(depth)
        case 0x22: return .string(try string())
        case 0x74: return try word("true", .bool(true))
        case 0x66: return try word("false", .bool(false))
        case 0x6e: return try word("null", .null)
        default: return try number()
        }
      }

      private mutating func object(_ depth: Int) throws -> JSONValue {
        place += 1
        var members: [String: JSONValue] = [:]
        skipSpace()
        if take(0x7d) { return .object(members) }
        repeat {
          skipSpace()
          guard place < bytes.count, bytes[place] == 0x22 else { throw fault }
          let name = try string()
          skipSpace()
          guard take(0x3a) else { throw fault }
          members[name] = try value(depth + 1)
          skipSpace()
        } while take(0x2c)
        guard take(0x7d) else { throw fault }
        return .object(members)
      }

      private mutating func array(_ depth: Int) throws -> JSONValue {
        place += 1
        var values: [JSONValue] = []
        skipSpace()
        if take(0x5d) { return .array(values) }
        repeat {
          values.append(try value(depth + 1))
          skipSpace()
        } while take(0x2c)
        guard take(0x5d) else { throw fault }
        return .array(values)
      }

      private mutating func string() throws -> String {
        place += 1
        let start = place
        while place < bytes.count, bytes[place] != 0x22, bytes[place] != 0x5c, bytes[place] >= 0x20 {
          place += 1
        }
        var text = Array(bytes[start..<place])
        while place < bytes.count, bytes[place] != 0x22 {
          let byte = bytes[place]
          guard byte >= 0x20 else { throw fault }
          place += 1
          if byte == 0x5c { try escape(&text) } else { text.append(byte) }
        }
        guard take(0x22) else { throw fault }
        return String(decoding: text, as: UTF8.self)
      }

      private mutating func escape(_ text: inout [UInt8]) throws {
        guard place < bytes.count else { throw fault }
        let byte = bytes[place]
        place += 1
        switch byte {
        case 0x22, 0x5c, 0x2f: text.append(byte)
        case 0x62: text.append(0x08)
        case 0x66: text.append(0x0c)
        case 0x6e: text.append(0x0a)
        case 0x72: text.append(0x0d)
        case 0x74: text.append(0x09)
        case 0x75:
          var units = [try unit()]
          if 0xd800..<0xdc00 ~= units[0], place + 1 < bytes.count, bytes[place] == 0x5c, bytes[place + 1] == 0x75 {
            place += 2
            units.append(try unit())
          }
          text += String(decoding: units, as: UTF16.self).utf8
        default: throw fault
        }
      }

      private mutating func unit() throws -> UInt16 {
        guard place + 4 <= bytes.count,
          let unit = UInt16(String(decoding: bytes[place..<place + 4], as: UTF8.self), radix: 16)
        else { throw fault }
        place += 4
        return unit
      }

      private mutating func number() throws -> JSONValue {
        let start = place
        while place < bytes.count, isNumber(bytes[place]) { place += 1 }
        let digits = bytes[start..<place].drop { $0 == 0x2d }
        guard let first = digits.first, first != 0x2e, digits.last != 0x2e,
          first != 0x30 || digits.count == 1 || !(0x30...0x39).contains(digits[digits.startIndex + 1])
        else { throw fault }
        let text = String(decoding: bytes[start..<place], as: UTF8.self)
        if let value = Int(text) { return .integer(value) }
        guard !text.hasPrefix("+"), let value = Double(text), value.isFinite else { throw fault }
        if let whole = UInt64(text) { return .unsigned(whole) }
        return JSONValue(value)
      }

      private func isNumber(_ byte: UInt8) -> Bool {
        0x30...0x39 ~= byte || byte == 0x2d || byte == 0x2b || byte == 0x2e || byte == 0x65 || byte == 0x45
      }
    }

    """#
}
