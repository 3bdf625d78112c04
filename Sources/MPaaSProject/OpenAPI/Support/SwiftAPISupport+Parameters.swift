extension SwiftAPISupport {
  static let parameters = #"""
    /// A parameter of an operation, a header of an answer, or a field of a form.
    struct APIParameter: Sendable {
      let name: String
      let place: APIPlace
      var style: APIStyle
      var explodes: Bool
      var keepsReserved = false
      /// Tells whether the value is written as JSON, in place of a style.
      var isJSON = false
      let shape: APIShape
      /// The checks of the value beyond its type.
      var check: APICheck?

      init(
        _ name: String, _ place: APIPlace, _ style: APIStyle, explodes: Bool = false,
        keepsReserved: Bool = false, isJSON: Bool = false, _ shape: APIShape, check: APICheck? = nil
      ) {
        self.name = name
        self.place = place
        self.style = style
        self.explodes = explodes
        self.keepsReserved = keepsReserved
        self.isJSON = isJSON
        self.shape = shape
        self.check = check
      }

      /// Throws what is wrong with a value, under the name of the parameter.
      func validate(_ value: JSONValue, _ direction: JSONDirection) throws {
        guard let check else { return }
        var report = JSONReport(direction)
        check(value, &report)
        do {
          try report.finish()
        } catch let invalid as JSONInvalid {
          throw JSONInvalid(invalid.problems.map { JSONProblem($0.message, path: [name] + $0.path) })
        }
      }

      // MARK: Writing

      private func encoded(_ value: JSONValue) -> String { encoded(APIText.text(value)) }

      private func encoded(_ text: String) -> String {
        if place == .header || style == .cookie { return text }
        return APIText.encoded(text, keepsReserved: keepsReserved)
      }

      /// The members of an object in the order of the description.
      private func ordered(_ members: [String: JSONValue]) -> [(key: String, value: JSONValue)] {
        var known: [String] = []
        if case .object(let list) = shape.parts { known = list.map(\.name) }
        let rest = members.keys.filter { !known.contains($0) }.sorted()
        return (known + rest).compactMap { name in members[name].map { (name, $0) } }
      }

      /// The text in a path, a header, or a cookie of style `simple`.
      func text(_ value: JSONValue) -> String {
        if isJSON { return encoded(String(decoding: APIText.json(value), as: UTF8.self)) }
        let name = encoded(self.name)
        switch (style, value) {
        case (.matrix, .array(let values)) where explodes:
          return values.map { ";\(name)=" + encoded($0) }.joined()
        case (.matrix, .object(let members)) where explodes:
          return ordered(members).map { ";" + encoded($0.key) + "=" + encoded($0.value) }.joined()
        case (.matrix, _):
          let text = list(value, ",")
          return ";" + name + (text.isEmpty ? "" : "=" + text)
        case (.label, .array(let values)) where explodes:
          return values.map { "." + encoded($0) }.joined()
        case (.label, .object(let members)) where explodes:
          return ordered(members).map { "." + encoded($0.key) + "=" + encoded($0.value) }.joined()
        case (.label, _): return "." + list(value, ",")
        default: return list(value, ",")
        }
      }

      private func list(_ value: JSONValue, _ separator: String) -> String {
        switch value {
        case .array(let values): return values.map { encoded($0) }.joined(separator: separator)
        case .object(let members):
          let equals = explodes && (style == .simple || style == .label) ? "=" : separator
          return ordered(members).map { encoded($0.key) + equals + encoded($0.value) }
            .joined(separator: separator)
        default: return encoded(value)
        }
      }

      /// The pairs in a query, a form, or cookies, with their encoding.
      ///
      /// Refuses values that the style cannot tell from its own signs, since they would be read as other values.
      func pairs(_ value: JSONValue) throws -> [String] {
        let name = encoded(self.name)
        if isJSON { return [name + "=" + encoded(String(decoding: APIText.json(value), as: UTF8.self))] }
        switch (style, value) {
        case (.deepObject, .array), (.deepObject, .object): return deep(self.name, value)
        case (_, .array(let values)) where explodes:
          return values.map { name + "=" + encoded($0) }
        case (_, .object(let members)) where explodes:
          return ordered(members).map { encoded($0.key) + "=" + encoded($0.value) }
        case (.spaceDelimited, _): return [name + "=" + list(try without(" ", value), "%20")]
        case (.pipeDelimited, _): return [name + "=" + list(try without("|", value), "%7C")]
        default: return [name + "=" + list(value, ",")]
        }
      }

      private func without(_ sign: Character, _ value: JSONValue) throws -> JSONValue {
        var texts: [String] = []
        switch value {
        case .array(let values): texts = values.map(APIText.text)
        case .object(let members): texts = members.flatMap { [$0.key, APIText.text($0.value)] }
        default: texts = [APIText.text(value)]
        }
        guard texts.contains(where: { $0.contains(sign) }) else { return value }
        throw JSONInvalid([JSONProblem("must not contain “\(sign)”, which stands between its values", path: [name])])
      }

      private func deep(_ name: String, _ value: JSONValue) -> [String] {
        switch value {
        case .object(let members):
          return ordered(members).flatMap { deep("\(name)[\($0.key)]", $0.value) }
        case .array(let values):
          return values.enumerated().flatMap { deep("\(name)[\($0.offset)]", $0.element) }
        default: return [encoded(name) + "=" + encoded(value)]
        }
      }

      // MARK: Reading

      private func decoded(_ text: some StringProtocol) -> String {
        place == .header || style == .cookie ? String(text) : APIText.decoded(text, plus: place == .query)
      }

      /// The value of a text of a path, a header, or a cookie.
      func value(_ text: String) throws -> JSONValue {
        if isJSON { return try APIText.json(Array(decoded(text).utf8)) }
        switch style {
        case .matrix:
          let pairs = APIText.pairs(String(text.dropFirst()).split(separator: ";" as Character).joined(separator: "&"))
          if explodes, shape.parts.isObject { return object(pairs.map { ($0.name, $0.value) }) }
          if explodes, shape.parts.isArray { return .array(pairs.map { element($0.value) }) }
          return split(pairs.first?.value ?? "", ",")
        case .label:
          let rest = String(text.dropFirst())
          return split(rest, explodes ? "." : ",")
        default: return split(text.trimmed, ",")
        }
      }

      private func element(_ text: some StringProtocol) -> JSONValue { shape.element.value(decoded(text)) }

      private func object(_ pairs: [(String, String)]) -> JSONValue {
        .object([String: JSONValue](pairs.map { ($0.0, shape.member($0.0).value(decoded($0.1))) }) { $1 })
      }

      private func split(_ text: String, _ separator: Character) -> JSONValue {
        let shape = shape.parts
        guard shape.isArray || shape.isObject else { return self.shape.value(decoded(text)) }
        let parts = text.isEmpty ? [] : text.split(separator: separator, omittingEmptySubsequences: false)
        let trimmed = parts.map { place == .header ? String($0).trimmed : String($0) }
        if shape.isArray { return .array(trimmed.map { element($0) }) }
        if explodes {
          return object(
            trimmed.map { part in
              let equals = part.firstIndex(of: "=") ?? part.endIndex
              let value = equals == part.endIndex ? "" : String(part[part.index(after: equals)...])
              return (decoded(part[..<equals]), value)
            })
        }
        var pairs: [(String, String)] = []
        for index in stride(from: 0, to: trimmed.count - 1, by: 2) {
          pairs.append((decoded(trimmed[index]), trimmed[index + 1]))
        }
        return object(pairs)
      }

      /// The value among the pairs of a query, a form, or cookies; nil where it is not there.
      func value(_ pairs: [(name: String, value: String)]) throws -> JSONValue? {
        let own = pairs.filter { $0.name == name }
        if isJSON { return try own.first.map { try APIText.json(Array(decoded($0.value).utf8)) } }
        if style == .deepObject {
          let deep = pairs.filter { $0.name.hasPrefix(name + "[") }
          return deep.isEmpty && own.isEmpty ? nil : deepValue(deep, own)
        }
        if explodes, shape.parts.isObject {
          guard case .object(let members) = shape.parts else { return nil }
          let found = pairs.filter { pair in members.contains { $0.name == pair.name } }
          return found.isEmpty ? nil : object(found.map { ($0.name, $0.value) })
        }
        guard let first = own.first else { return nil }
        if explodes, shape.parts.isArray { return .array(own.map { element($0.value) }) }
        switch style {
        case .spaceDelimited: return split(first.value.spaced, " ")
        case .pipeDelimited: return split(first.value.piped, "|")
        default: return split(first.value, ",")
        }
      }

      private func deepValue(
        _ deep: [(name: String, value: String)], _ own: [(name: String, value: String)]
      ) -> JSONValue {
        var tree = APIDeepTree()
        for pair in deep {
          let keys = pair.name.dropFirst(name.count).split(separator: "]" as Character).map { String($0.dropFirst()) }
          tree.add(keys[...], decoded(pair.value))
        }
        for pair in own { tree.add([""], decoded(pair.value)) }
        return tree.value(shape.parts)
      }
    }

    /// The values of `name[a][b]=…`.
    private struct APIDeepTree {
      var text: String?
      var members: [(name: String, tree: APIDeepTree)] = []

      mutating func add(_ keys: ArraySlice<String>, _ value: String, depth: Int = 0) {
        guard let key = keys.first, depth < 64 else { return text = value }
        // Without a key each value is an element of its own.
        if key != "", let index = members.firstIndex(where: { $0.name == key }) {
          if keys.count == 1 {
            members.append((key, APIDeepTree(text: value)))
          } else {
            members[index].tree.add(keys.dropFirst(), value, depth: depth + 1)
          }
        } else {
          var tree = APIDeepTree()
          tree.add(keys.dropFirst(), value, depth: depth + 1)
          members.append((key, tree))
        }
      }

      func value(_ shape: APIShape) -> JSONValue {
        if let text, members.isEmpty { return shape.value(text) }
        let isList = shape.isArray || !shape.isObject && members.allSatisfy { $0.name == "" || Int($0.name) != nil }
        if isList { return .array(members.map { $0.tree.value(shape.element.parts) }) }
        var groups: [String: [APIDeepTree]] = [:]
        for member in members { groups[member.name, default: []].append(member.tree) }
        var values: [String: JSONValue] = [:]
        for (name, trees) in groups {
          let inner = shape.member(name).parts
          if trees.count > 1 || inner.isArray && trees[0].members.isEmpty {
            values[name] = .array(trees.map { $0.value(inner.element.parts) })
          } else {
            values[name] = trees[0].value(inner)
          }
        }
        return .object(values)
      }
    }

    extension String {
      /// Without blanks at both ends.
      fileprivate var trimmed: String {
        var view = self[...]
        while view.first == " " || view.first == "\t" { view.removeFirst() }
        while view.last == " " || view.last == "\t" { view.removeLast() }
        return String(view)
      }

      fileprivate var spaced: String { replacingTriples(["20"], "+", by: " ") }
      fileprivate var piped: String { replacingTriples(["7C", "7c"], nil, by: "|") }

      private func replacingTriples(_ triples: [String], _ other: Character?, by sign: Character) -> String {
        var result = ""
        var rest = self[...]
        while let character = rest.popFirst() {
          if character == "%", triples.contains(String(rest.prefix(2))) {
            result.append(sign)
            rest = rest.dropFirst(2)
          } else {
            result.append(character == other ? sign : character)
          }
        }
        return result
      }
    }

    """#

  static let forms = #"""
    /// The fields of a form, `application/x-www-form-urlencoded`, as the description writes them.
    struct APIFormFields: Sendable {
      let shape: APIShape
      /// Fields with a style of their own.
      let styled: [APIParameter]

      private func field(_ name: String, _ value: JSONValue?) -> APIParameter {
        if let known = styled.first(where: { $0.name == name }) { return known }
        let inner = shape.member(name)
        var isJSON = inner.parts.isObject
        if case .object = value { isJSON = true }
        return APIParameter(name, .query, .form, explodes: true, isJSON: isJSON, inner)
      }

      func text(_ value: JSONValue) throws -> String {
        guard case .object(let members) = value else { throw JSONProblem("must be an object") }
        var known: [String] = []
        if case .object(let list) = shape.parts { known = list.map(\.name) }
        let names = known + members.keys.filter { !known.contains($0) }.sorted()
        return try names.flatMap { name in try members[name].map { try field(name, $0).pairs($0) } ?? [] }
          .joined(separator: "&")
      }

      func value(_ text: String) throws -> JSONValue {
        let pairs = APIText.pairs(text, plus: true)
        var members: [String: JSONValue] = [:]
        var taken: Set<String> = []
        if case .object(let list) = shape.parts {
          for member in list {
            members[member.name] = try field(member.name, nil).value(pairs)
            taken.insert(member.name)
          }
        }
        for pair in pairs where !taken.contains(pair.name) && !pair.name.contains("[") && members[pair.name] == nil {
          let all = pairs.filter { $0.name == pair.name }.map { APIShape.any.value(APIText.decoded($0.value, plus: true)) }
          members[pair.name] = all.count == 1 ? all[0] : .array(all)
        }
        return .object(members)
      }
    }

    """#
}
