extension SwiftAPISupport {
  static let multipart = #"""
    /// A file of a form.
    public struct APIFile: Sendable, Hashable {
      public var bytes: [UInt8]
      public var name: String?
      public var contentType: String

      public init(_ bytes: [UInt8], name: String? = nil, contentType: String = "application/octet-stream") {
        self.bytes = bytes
        self.name = name
        self.contentType = contentType
      }
    }

    /// A part of a body of several.
    public struct APIPart: Sendable, Hashable {
      public var name: String
      public var fileName: String?
      public var headers: [APIHeader]
      public var body: [UInt8]

      public init(_ name: String, fileName: String? = nil, headers: [APIHeader] = [], body: [UInt8]) {
        self.name = name
        self.fileName = fileName
        self.headers = headers
        self.body = body
      }
    }

    /// A body of several parts (RFC 7578, RFC 2046).
    public struct APIMultipart: Sendable, Hashable {
      public var type: String
      public var parts: [APIPart]

      public init(type: String = "multipart/form-data", parts: [APIPart] = []) {
        self.type = type
        self.parts = parts
      }

      /// A line that stands in none of the parts, the same for the same parts.
      private var boundary: String {
        var number = 0
        while true {
          let text = "part-boundary-\(number)"
          let bytes = Array(text.utf8)
          if !parts.contains(where: { Self.find(bytes, in: $0.body[...]) != nil }) { return text }
          number += 1
        }
      }

      var contentType: String { type + "; boundary=" + boundary }

      var bytes: [UInt8] {
        var bytes: [UInt8] = []
        let boundary = boundary
        for part in parts {
          bytes += "--\(boundary)\r\n".utf8
          if type == "multipart/form-data" {
            bytes += "Content-Disposition: form-data; name=\"\(Self.quoted(part.name))\"".utf8
            if let file = part.fileName { bytes += "; filename=\"\(Self.quoted(file))\"".utf8 }
            bytes += "\r\n".utf8
          }
          for header in part.headers { bytes += "\(header.name): \(header.value)\r\n".utf8 }
          bytes += "\r\n".utf8
          bytes += part.body
          bytes += "\r\n".utf8
        }
        bytes += "--\(boundary)--\r\n".utf8
        return bytes
      }

      /// Percent-encodes the characters that would end a quoted name, as browsers do.
      private static func quoted(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
          switch byte {
          case 0x22: bytes += "%22".utf8
          case 0x0a: bytes += "%0A".utf8
          case 0x0d: bytes += "%0D".utf8
          default: bytes.append(byte)
          }
        }
        return String(decoding: bytes, as: UTF8.self)
      }

      init(_ bytes: [UInt8], _ contentType: String) throws {
        guard let boundary = Self.parameter("boundary", of: contentType), !boundary.isEmpty else {
          throw JSONProblem("has no boundary between its parts")
        }
        type = String(contentType.prefix { $0 != ";" }).lowercased()
        parts = []
        let mark = Array("--\(boundary)".utf8)
        guard var rest = Self.find(mark, in: bytes[...]).map({ bytes[$0.upperBound...] }) else {
          throw JSONProblem("has no part")
        }
        let line = [0x0d, 0x0a] + mark
        while !rest.starts(with: [0x2d, 0x2d]) {
          guard rest.starts(with: [0x0d, 0x0a]), let end = Self.find(line, in: rest.dropFirst(2)) ?? Self.find(line, in: rest)
          else { throw JSONProblem("ends within a part") }
          parts.append(try Self.part(rest[(rest.startIndex + 2)..<max(end.lowerBound, rest.startIndex + 2)]))
          guard parts.count <= 10_000 else { throw JSONProblem("has more than 10000 parts") }
          rest = rest[end.upperBound...]
        }
      }

      private static func part(_ bytes: ArraySlice<UInt8>) throws -> APIPart {
        let head: ArraySlice<UInt8>
        let body: ArraySlice<UInt8>
        if bytes.starts(with: [0x0d, 0x0a]) {
          (head, body) = ([], bytes.dropFirst(2))
        } else if let blank = find([0x0d, 0x0a, 0x0d, 0x0a], in: bytes) {
          (head, body) = (bytes[..<blank.lowerBound], bytes[blank.upperBound...])
        } else {
          (head, body) = (bytes, [])
        }
        var part = APIPart("", body: Array(body))
        for line in String(decoding: head, as: UTF8.self).split(whereSeparator: \.isNewline) {
          guard let colon = line.firstIndex(of: ":") else { continue }
          let name = String(line[..<colon])
          let value = String(line[line.index(after: colon)...].drop { $0 == " " })
          if name.lowercased() == "content-disposition" {
            part.name = APIText.decoded(parameter("name", of: value) ?? "")
            part.fileName = parameter("filename", of: value).map { APIText.decoded($0) }
          } else {
            part.headers.append(APIHeader(name, value))
          }
        }
        return part
      }

      private static func find(_ wanted: [UInt8], in bytes: ArraySlice<UInt8>) -> Range<Int>? {
        guard let first = wanted.first else { return nil }
        var start = bytes.startIndex
        while let index = bytes[start...].firstIndex(of: first), index + wanted.count <= bytes.endIndex {
          if bytes[index..<index + wanted.count].elementsEqual(wanted) { return index..<index + wanted.count }
          start = index + 1
        }
        return nil
      }

      private static func parameter(_ name: String, of field: String) -> String? {
        for part in field.split(separator: ";" as Character).dropFirst() {
          let part = part.drop { $0 == " " }
          guard part.lowercased().hasPrefix(name + "=") else { continue }
          let value = part.dropFirst(name.count + 1)
          return value.first == "\"" ? String(value.dropFirst().prefix { $0 != "\"" }) : String(value)
        }
        return nil
      }
    }

    /// A part that the description names.
    struct APIPartRule: Sendable {
      let name: String
      let content: APIContent

      init(_ name: String, _ content: APIContent) {
        self.name = name
        self.content = content
      }
    }

    /// Puts values into parts.
    struct APIPartWriter {
      private(set) var multipart: APIMultipart
      private let direction: JSONDirection

      init(_ type: String, _ additional: [APIPart], _ direction: JSONDirection) {
        multipart = APIMultipart(type: type, parts: additional)
        self.direction = direction
      }

      mutating func set(
        _ rule: APIPartRule, _ value: (some JSONConvertible)?, headers: [APIHeader] = []
      ) throws {
        guard let value = value?.jsonValue else { return }
        let bytes = try rule.content.bytes(value, direction)
        multipart.parts.append(
          APIPart(rule.name, headers: [APIHeader("Content-Type", rule.content.type)] + headers, body: bytes))
      }

      mutating func set(_ name: String, file: APIFile?, headers: [APIHeader] = []) {
        guard let file else { return }
        multipart.parts.append(
          APIPart(
            name, fileName: file.name ?? name, headers: [APIHeader("Content-Type", file.contentType)] + headers,
            body: file.bytes))
      }
    }

    /// Takes values out of parts.
    struct APIPartReader {
      private var parts: [APIPart]
      private let direction: JSONDirection

      init(_ multipart: APIMultipart, _ direction: JSONDirection) {
        parts = multipart.parts
        self.direction = direction
      }

      private mutating func take(_ name: String) -> [APIPart] {
        let found = parts.filter { $0.name == name }
        parts.removeAll { $0.name == name }
        return found
      }

      mutating func all<Value: JSONConvertible>(_ rule: APIPartRule) throws -> [Value] {
        try take(rule.name).map { part in
          try JSONProblem.under(rule.name) { try Value(jsonValue: try rule.content.value(part.body, direction)) }
        }
      }

      mutating func optional<Value: JSONConvertible>(_ rule: APIPartRule) throws -> Value? {
        let values: [Value] = try all(rule)
        return values.first
      }

      mutating func required<Value: JSONConvertible>(_ rule: APIPartRule) throws -> Value {
        guard let value: Value = try optional(rule) else { throw JSONProblem("must be there", path: [rule.name]) }
        return value
      }

      mutating func files(_ name: String) -> [APIFile] {
        take(name).map { part in
          let type = APIText.header("Content-Type", part.headers)
          return APIFile(part.body, name: part.fileName, contentType: type ?? "application/octet-stream")
        }
      }

      mutating func requiredFile(_ name: String) throws -> APIFile {
        guard let file = files(name).first else { throw JSONProblem("must be there", path: [name]) }
        return file
      }

      /// The headers of a part, beside its media type.
      func headers(_ name: String) -> [APIHeader] {
        parts.first { $0.name == name }?.headers.filter { $0.name.lowercased() != "content-type" } ?? []
      }

      var rest: [APIPart] { parts }
    }

    """#
}
