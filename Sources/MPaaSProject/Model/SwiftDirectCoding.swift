import MPaaSSupport

/// Decides which types can be decoded and encoded member by member, without a JSON value between.
///
/// Those are the types whose checks say no more than what their properties' types say by themselves: what is decoded as
/// an `Int` is an integer. What fails is decoded again the other way, which knows what is wrong and where.
struct SwiftDirectCoding {
  let dates: SwiftModelWriter.Options.Dates

  /// Whether decoding the properties of an object refuses all that its checks refuse.
  func isDirect(_ object: ModelObject, _ declaration: ModelDeclaration) -> Bool {
    object.properties.allSatisfy { SwiftProperty($0, dates).presence != .field && isDecodable($0.type) }
      && (object.rest.map(isDecodable) ?? true) && declaration.checks.allSatisfy { isImplied($0, by: object) }
      && (object.rest != nil || declaration.checks.contains { isClosed($0) })
  }

  /// Whether an enumeration's checks say that it is one of its values, and no more.
  func isDirect(_ constants: [ModelConstant], _ declaration: ModelDeclaration) -> Bool {
    let kind: ModelKind = constants.allSatisfy { $0.value.string != nil } ? .string : .integer
    return declaration.checks.allSatisfy { check in
      switch check {
      case .constants(let values): constants.allSatisfy { values.contains($0.value) }
      case .kinds(let kinds): kinds.contains(kind)
      default: false
      }
    }
  }

  private func isClosed(_ check: ModelCheck) -> Bool {
    if case .members(let members) = check { members.rest == [.never] && members.patterns.isEmpty } else { false }
  }

  private func isImplied(_ check: ModelCheck, by object: ModelObject) -> Bool {
    switch check {
    case .kinds(let kinds): return kinds.contains(.object)
    case .required(let names):
      return names.allSatisfy { name in object.properties.contains { $0.jsonName == name && $0.isRequired } }
    case .members(let members):
      guard members.patterns.isEmpty else { return false }
      let isNamed = members.named.allSatisfy { named in
        let property = object.properties.first { $0.jsonName == named.name }
        return property.map { isImplied(named.checks, by: $0.type) } ?? false
      }
      guard isNamed, let rest = members.rest, !rest.isEmpty else { return isNamed }
      return object.rest.map { isImplied(rest, by: $0) } ?? (rest == [.never])
    default: return false
    }
  }

  private func isImplied(_ checks: [ModelCheck], by type: ModelType) -> Bool {
    checks.allSatisfy { isImplied($0, by: type) }
  }

  /// Whether a check lets every value pass that can be decoded as a type.
  private func isImplied(_ check: ModelCheck, by type: ModelType) -> Bool {
    switch (check, type.bare) {
    case (.kinds(let kinds), let bare):
      return (!type.isNullable || kinds.contains(.null)) && (kind(of: bare).map(kinds.contains) ?? false)
    case (.declaration(let name), .named(let own)): return name == own && !type.isNullable
    case (.elements(first: [], let rest), .array(let element)): return isImplied(rest ?? [], by: element)
    case (.members(let members), .map(let value)):
      return members.named.isEmpty && members.patterns.isEmpty && isImplied(members.rest ?? [], by: value)
    case (.format("date-time"), .string(.dateTime)), (.format("date"), .string(.date)): return dates == .exact
    case (.any(let branches), let bare):
      let takesNull = !type.isNullable || branches.contains([.kinds([.null])])
      return takesNull && branches.contains { isImplied($0, by: bare) }
    default: return false
    }
  }

  private func kind(of type: ModelType) -> ModelKind? {
    switch type {
    case .boolean: .boolean
    case .integer: .integer
    case .number: .number
    case .string: .string
    case .array: .array
    case .map: .object
    case .any, .null, .nullable, .named: nil
    }
  }

  /// Whether decoding a type gives what its JSON value would; `Date` decodes from a number by itself.
  private func isDecodable(_ type: ModelType) -> Bool {
    switch type {
    case .string(.dateTime): dates != .date
    case .array(let inner), .map(let inner), .nullable(let inner): isDecodable(inner)
    case .null: false
    default: true
    }
  }
}

extension SwiftModelWriter {
  /// `init(direct:)` and `encode(to:)` of a structure that is read and written member by member.
  mutating func directCoding(_ properties: [SwiftProperty], hasRest: Bool) {
    text.blank()
    text.block("\(access)init(direct decoder: any Decoder) throws") { text in
      text.line("let members = try JSONDecodedMembers<Self>(decoder)")
      for property in properties {
        text.list(
          "\(property.name == "decoder" ? "self.decoder" : property.name) = try members.\(property.presence.rawValue)(",
          [SwiftSpelling.literal(property.jsonName)], end: ")")
      }
      text.line(hasRest ? "additionalProperties = try members.rest()" : "try members.end()")
    }
    text.blank()
    memberNames(properties.map { SwiftSpelling.literal($0.jsonName) })
    text.blank()
    text.block("\(access)func encode(to encoder: any Encoder) throws") { text in
      text.line("var members = encoder.container(keyedBy: JSONKey<Self>.self)")
      if hasRest {
        text.block("for (name, value) in additionalProperties") { text in
          text.line("try members.encode(value, forKey: JSONKey(name))")
        }
      }
      for property in properties {
        let word = property.presence == .required ? "encode" : "encodeIfPresent"
        text.list(
          "try members.\(word)(",
          [
            property.name == "encoder" ? "self.encoder" : property.name,
            "forKey: \(SwiftSpelling.literal(property.jsonName))",
          ], end: ")")
      }
    }
  }

  /// Few names are compared one after the other, many by their hashes.
  private mutating func memberNames(_ names: [String]) {
    let head = "\(access)static func isMember(_ name: String) -> Bool"
    guard !names.isEmpty else { return text.line(head + " { false }") }
    guard names.count <= 16 else {
      text.list("private static let memberNames: Set<String> = [", names, end: "]")
      text.blank()
      return text.line(head + " { memberNames.contains(name) }")
    }
    text.block(head) { text in
      text.line("switch name {")
      text.list("case ", names, end: ": true")
      text.line("default: false")
      text.line("}")
    }
  }
}

extension SwiftModelSupport {
  static let direct = #"""
    /// A model that is decoded member by member, since its properties' types say all that its schema says.
    public protocol JSONDirectModel: JSONModel {
      /// Whether a member of this name has a property.
      static func isMember(_ name: String) -> Bool

      /// Reads a value; throws anything for what is wrong, which is then found out by `check`.
      init(direct decoder: any Decoder) throws
    }

    extension JSONDirectModel {
      public init(from decoder: any Decoder) throws {
        do {
          self = try Self(direct: decoder)
        } catch {
          self = try Self.decoded(from: decoder)
        }
      }
    }

    /// The name of a member; asked for all names, a container gives those without a property.
    struct JSONKey<Model: JSONDirectModel>: CodingKey, ExpressibleByStringLiteral {
      let stringValue: String
      var intValue: Int? { nil }

      init(_ name: String) { stringValue = name }
      init(stringLiteral value: String) { stringValue = value }

      init?(stringValue: String) {
        if Model.isMember(stringValue) { return nil }
        self.stringValue = stringValue
      }

      init?(intValue: Int) { nil }
    }

    /// The members of an object that is being decoded.
    struct JSONDecodedMembers<Model: JSONDirectModel> {
      private let container: KeyedDecodingContainer<JSONKey<Model>>

      init(_ decoder: any Decoder) throws {
        container = try decoder.container(keyedBy: JSONKey<Model>.self)
      }

      func required<Value: Decodable>(_ key: JSONKey<Model>) throws -> Value {
        try container.decode(Value.self, forKey: key)
      }

      func optional<Value: Decodable>(_ key: JSONKey<Model>) throws -> Value? {
        container.contains(key) ? try container.decode(Value.self, forKey: key) : nil
      }

      func lenient<Value: Decodable>(_ key: JSONKey<Model>) throws -> Value? {
        try container.decodeIfPresent(Value.self, forKey: key)
      }

      // Decoders have ways of their own for these, which a generic call does not take.
      func required(_ key: JSONKey<Model>) throws -> Bool {
        try container.decode(Bool.self, forKey: key)
      }

      func optional(_ key: JSONKey<Model>) throws -> Bool? {
        container.contains(key) ? try container.decode(Bool.self, forKey: key) : nil
      }

      func lenient(_ key: JSONKey<Model>) throws -> Bool? {
        try container.decodeIfPresent(Bool.self, forKey: key)
      }

      func required(_ key: JSONKey<Model>) throws -> Int {
        try container.decode(Int.self, forKey: key)
      }

      func optional(_ key: JSONKey<Model>) throws -> Int? {
        container.contains(key) ? try container.decode(Int.self, forKey: key) : nil
      }

      func lenient(_ key: JSONKey<Model>) throws -> Int? {
        try container.decodeIfPresent(Int.self, forKey: key)
      }

      func required(_ key: JSONKey<Model>) throws -> Double {
        try container.decode(Double.self, forKey: key)
      }

      func optional(_ key: JSONKey<Model>) throws -> Double? {
        container.contains(key) ? try container.decode(Double.self, forKey: key) : nil
      }

      func lenient(_ key: JSONKey<Model>) throws -> Double? {
        try container.decodeIfPresent(Double.self, forKey: key)
      }

      func required(_ key: JSONKey<Model>) throws -> String {
        try container.decode(String.self, forKey: key)
      }

      func optional(_ key: JSONKey<Model>) throws -> String? {
        container.contains(key) ? try container.decode(String.self, forKey: key) : nil
      }

      func lenient(_ key: JSONKey<Model>) throws -> String? {
        try container.decodeIfPresent(String.self, forKey: key)
      }

      /// The members that have no property.
      func rest<Value: Decodable>() throws -> [String: Value] {
        var values: [String: Value] = [:]
        for key in container.allKeys {
          values[key.stringValue] = try container.decode(Value.self, forKey: key)
        }
        return values
      }

      /// Throws where there are members that have no property.
      func end() throws {
        guard container.allKeys.isEmpty else { throw JSONProblem("must not be there") }
      }
    }

    """#
}
