extension SwiftAPISupport {
  static let xml = #"""
    /// An element of XML, on the way between text and a value.
    struct APIXMLNode: Sendable {
      var name: String
      var namespace: String?
      var attributes: [(name: String, value: String)] = []
      var children: [APIXMLNode] = []
      var text = ""

      init(name: String) { self.name = name }

      /// Makes the element of a value.
      init(_ value: JSONValue, _ name: String, _ namespace: String?, _ shape: APIShape) {
        self.name = name
        self.namespace = namespace
        switch value {
        case .object(let members):
          let shape = shape.parts
          var known: [APIMember] = []
          if case .object(let list) = shape { known = list }
          let rest = members.keys.filter { key in !known.contains { $0.name == key } }.sorted()
          for member in known + rest.map({ APIMember($0, .any) }) {
            if let value = members[member.name] { add(value, member) }
          }
        case .array(let values):
          guard case .array(let element, let item, _) = shape.parts else {
            children = values.map { APIXMLNode($0, name, nil, .any) }
            return
          }
          children = values.map { APIXMLNode($0, item ?? name, nil, element) }
        default: text = APIText.text(value)
        }
      }

      private mutating func add(_ value: JSONValue, _ member: APIMember) {
        switch member.node {
        case .attribute: attributes.append((member.element, APIText.text(value)))
        case .text: text += APIText.text(value)
        case .element:
          guard case .array(let values) = value else {
            return children.append(APIXMLNode(value, member.element, member.namespace, member.shape))
          }
          guard case .array(let element, let item, let isWrapped) = member.shape.parts else {
            return children += values.map { APIXMLNode($0, member.element, member.namespace, .any) }
          }
          let inner = item ?? member.element
          guard isWrapped else { return children += values.map { APIXMLNode($0, inner, member.namespace, element) } }
          var wrapper = APIXMLNode(name: member.element)
          wrapper.namespace = member.namespace
          wrapper.children = values.map { APIXMLNode($0, item ?? member.name, nil, element) }
          children.append(wrapper)
        }
      }

      var document: String { "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + source + "\n" }

      private var source: String {
        var head = "<" + name
        if let namespace {
          let colon = name.firstIndex(of: ":")
          let prefix = colon.map { ":" + name[..<$0] } ?? ""
          head += " xmlns\(prefix)=\"\(Self.escaped(namespace))\""
        }
        for attribute in attributes { head += " \(attribute.name)=\"\(Self.escaped(attribute.value))\"" }
        if children.isEmpty, text.isEmpty { return head + "/>" }
        return head + ">" + Self.escaped(text) + children.map(\.source).joined() + "</" + name + ">"
      }

      /// Leaves out characters that XML 1.0 does not have.
      private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
          switch scalar {
          case "&": result += "&amp;"
          case "<": result += "&lt;"
          case ">": result += "&gt;"
          case "\"": result += "&quot;"
          case "\n", "\r", "\t": result += "&#\(scalar.value);"
          case _ where scalar.value < 0x20 || scalar.value == 0xfffe || scalar.value == 0xffff: break
          default: result.unicodeScalars.append(scalar)
          }
        }
        return result
      }

      // MARK: Reading

      private static func local(_ name: String) -> String {
        name.lastIndex(of: ":").map { String(name[name.index(after: $0)...]) } ?? name
      }

      private static func isSame(_ left: String, _ right: String) -> Bool {
        left == right || local(left) == local(right)
      }

      func value(_ shape: APIShape) throws -> JSONValue {
        switch shape.parts {
        case .object(let members): return .object(try object(members))
        case .array(let element, _, _): return .array(try children.map { try $0.value(element) })
        case .any where !children.isEmpty || !attributes.isEmpty: return .object(try object([]))
        default: return shape.value(text)
        }
      }

      private func object(_ members: [APIMember]) throws -> [String: JSONValue] {
        var values: [String: JSONValue] = [:]
        var taken: Set<Int> = []
        for member in members {
          switch member.node {
          case .attribute:
            if let found = attributes.first(where: { Self.isSame($0.name, member.element) }) {
              values[member.name] = member.shape.value(found.value)
            }
          case .text: values[member.name] = member.shape.value(text)
          case .element:
            var names = [member.element]
            if case .array(_, let item?, isWrapped: false) = member.shape.parts { names = [item] }
            let found = children.indices.filter { index in
              names.contains { Self.isSame(children[index].name, $0) }
            }
            guard let first = found.first else { continue }
            taken.formUnion(found)
            if case .array(let element, _, let isWrapped) = member.shape.parts {
              let items = isWrapped ? children[first].children : found.map { children[$0] }
              values[member.name] = .array(try items.map { try $0.value(element) })
            } else {
              values[member.name] = try children[first].value(member.shape)
            }
          }
        }
        for (index, child) in children.enumerated() where !taken.contains(index) && values[child.name] == nil {
          values[child.name] = try child.value(.any)
        }
        return values
      }
    }

    """#

  static let xmlText = #"""
    /// Reads XML 1.0 without document types: elements, attributes, text, CDATA, the five entities, numbers of characters.
    struct APIXMLReader {
      private let bytes: [UInt8]
      private var place = 0

      static func root(_ bytes: [UInt8]) throws -> APIXMLNode {
        var reader = APIXMLReader(bytes: bytes)
        if bytes.starts(with: [0xef, 0xbb, 0xbf]) { reader.place = 3 }
        try reader.skipMisc()
        let root = try reader.element(0)
        try reader.skipMisc()
        guard reader.place == bytes.count else { throw reader.fault }
        return root
      }

      private init(bytes: [UInt8]) { self.bytes = bytes }

      private var fault: JSONProblem { JSONProblem("is no XML at byte \(place)") }

      private func stands(_ text: String) -> Bool { bytes[place...].starts(with: text.utf8) }

      private mutating func take(_ text: String) throws {
        guard stands(text) else { throw fault }
        place += text.utf8.count
      }

      private mutating func until(_ text: String) throws -> ArraySlice<UInt8> {
        let start = place
        while place < bytes.count {
          if stands(text) {
            defer { place += text.utf8.count }
            return bytes[start..<place]
          }
          place += 1
        }
        throw fault
      }

      private mutating func skipSpace() {
        while place < bytes.count, [0x20, 0x0a, 0x0d, 0x09].contains(bytes[place]) { place += 1 }
      }

      private mutating func skipMisc() throws {
        while true {
          skipSpace()
          if stands("<?") {
            _ = try until("?>")
          } else if stands("<!--") {
            _ = try until("-->")
          } else {
            return
          }
        }
      }

      private mutating func name() throws -> String {
        let start = place
        while place < bytes.count, !" \n\r\t=/><\"'".utf8.contains(bytes[place]) { place += 1 }
        guard place > start else { throw fault }
        return String(decoding: bytes[start..<place], as: UTF8.self)
      }

      private mutating func element(_ depth: Int) throws -> APIXMLNode {
        guard depth < 256 else { throw fault }
        try take("<")
        var node = APIXMLNode(name: try name())
        while true {
          skipSpace()
          if stands("/>") {
            try take("/>")
            return node
          }
          if stands(">") { break }
          let name = try name()
          skipSpace()
          try take("=")
          skipSpace()
          let quote = stands("\"") ? "\"" : "'"
          try take(quote)
          let value = try text(try until(quote))
          if name != "xmlns", !name.hasPrefix("xmlns:") { node.attributes.append((name, value)) }
        }
        try take(">")
        try content(&node, depth)
        return node
      }

      private mutating func content(_ node: inout APIXMLNode, _ depth: Int) throws {
        var text = ""
        while true {
          let start = place
          while place < bytes.count, bytes[place] != 0x3c { place += 1 }
          text += try self.text(bytes[start..<place])
          if stands("</") {
            try take("</")
            guard try name() == node.name else { throw fault }
            skipSpace()
            try take(">")
            // Between elements white space is only to look at.
            let isBlank = text.allSatisfy(\.isWhitespace)
            node.text = isBlank && !node.children.isEmpty ? "" : text
            return
          }
          if stands("<![CDATA[") {
            try take("<![CDATA[")
            text += String(decoding: try until("]]>"), as: UTF8.self)
          } else if stands("<!--") {
            _ = try until("-->")
          } else if stands("<?") {
            _ = try until("?>")
          } else {
            node.children.append(try element(depth + 1))
          }
        }
      }

      private func text(_ bytes: ArraySlice<UInt8>) throws -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.contains("&" as Character) else { return text }
        var result = ""
        var rest = text[...]
        while let start = rest.firstIndex(of: "&") {
          result += rest[..<start]
          guard let end = rest[start...].firstIndex(of: ";") else { throw fault }
          let name = rest[rest.index(after: start)..<end]
          let named: [Substring: String] = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]
          if let known = named[name] {
            result += known
          } else {
            let digits = name.dropFirst(name.hasPrefix("#x") ? 2 : 1)
            guard name.hasPrefix("#"), let number = UInt32(digits, radix: name.hasPrefix("#x") ? 16 : 10),
              let scalar = Unicode.Scalar(number)
            else { throw fault }
            result.unicodeScalars.append(scalar)
          }
          rest = rest[rest.index(after: end)...]
        }
        return result + rest
      }
    }

    """#
}
