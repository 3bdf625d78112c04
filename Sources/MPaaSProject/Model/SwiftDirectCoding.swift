import MPaaSSupport

/// Decides which types can be decoded and encoded member by member, without a JSON value between.
///
/// Checks that the types of the properties imply are left out: a value that is decoded as an `Int` is an integer. The
/// others are made on the properties. A value that fails is decoded again through a JSON value, by which it is known
/// what is wrong and where.
struct SwiftDirectCoding {
  let dates: SwiftModelWriter.Options.Dates
  private let declared: [String: [ModelCheck]]
  private let shared: [String: [ModelCheck]]

  init(set: ModelSet, dates: SwiftModelWriter.Options.Dates) {
    self.dates = dates
    declared = Dictionary(set.declarations.map { ($0.name, $0.checks) }) { first, _ in first }
    shared = Dictionary(set.functions.map { ($0.name, $0.checks) }) { first, _ in first }
  }

  /// The checks that one refers to; nil where it refers to none that are known.
  func referred(_ check: ModelCheck) -> [ModelCheck]?? {
    switch check {
    case .declaration(let name): .some(declared[name])
    case .function(let name): .some(shared[name])
    default: .none
    }
  }

  /// Tells whether an enumeration's checks say that it is one of its values, and no more.
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

  func isClosed(_ check: ModelCheck) -> Bool {
    if case .members(let members) = check { members.rest == [.never] && members.patterns.isEmpty } else { false }
  }

  private func isImplied(_ checks: [ModelCheck], by type: ModelType) -> Bool {
    checks.allSatisfy { isImplied($0, by: type) }
  }

  /// Tells whether a check lets every value pass that can be decoded as a type.
  func isImplied(_ check: ModelCheck, by type: ModelType) -> Bool {
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

  /// Tells whether decoding a type gives what its JSON value would; `Date` decodes from a number by itself.
  func isDecodable(_ type: ModelType) -> Bool {
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
  mutating func directCoding(_ properties: [SwiftProperty], hasRest: Bool, _ left: SwiftDirectCoding.Members) {
    let (checks, dates) = (checkWriter, options.dates)
    text.blank()
    text.block("\(access)init(direct decoder: any Decoder) throws") { text in
      text.line("let members = try JSONDecodedMembers<Self>(decoder)")
      for property in properties {
        text.list(
          "\(property.reference) = try members.\(property.presence.rawValue)(",
          [SwiftSpelling.literal(property.jsonName)], end: ")")
      }
      text.line(hasRest ? "additionalProperties = try members.rest()" : "try members.end()")
      guard !left.isEmpty else { return }
      text.line("var report = JSONReport()")
      for (property, check) in left.checks {
        let property = SwiftProperty(property, dates)
        check.write(property.reference + (property.presence == .field ? ".value" : ""), checks, to: &text)
      }
      for check in left.rest {
        text.block("for value in additionalProperties.values") { check.write("value", checks, to: &$0) }
      }
      text.line("try report.finish()")
    }
    text.blank()
    memberNames(properties.map { SwiftSpelling.literal($0.jsonName) })
    directEncoding(properties, hasRest: hasRest)
  }

  private mutating func directEncoding(_ properties: [SwiftProperty], hasRest: Bool) {
    text.blank()
    text.block("\(access)func encode(to encoder: any Encoder) throws") { text in
      text.line("var members = encoder.container(keyedBy: JSONKey<Self>.self)")
      if hasRest {
        text.block("for (name, value) in additionalProperties") { text in
          text.line("try members.encode(value, forKey: JSONKey(name))")
        }
      }
      for property in properties {
        let word =
          switch property.presence {
          case .required: "encode"
          case .optional, .lenient: "encodeIfPresent"
          case .field: "encodeField"
          }
        text.list(
          "try members.\(word)(",
          [
            property.name == "encoder" ? "self.encoder" : property.name,
            "forKey: \(SwiftSpelling.literal(property.jsonName))",
          ], end: ")")
      }
    }
  }

  /// `init(from:)` and `encode(to:)` of a structure around one value that is read and written as that value.
  mutating func directCoding(of type: String, _ left: SwiftDirectCheck) {
    let checks = checkWriter
    text.blank()
    text.block("\(access)init(direct decoder: any Decoder) throws") { text in
      text.line("value = try \(type)(from: decoder)")
      guard !left.isNothing else { return }
      text.line("var report = JSONReport()")
      left.write("value", checks, to: &text)
      text.line("try report.finish()")
    }
    text.blank()
    text.block("\(access)func encode(to encoder: any Encoder) throws") { $0.line("try value.encode(to: encoder)") }
  }

  /// Few names are compared one after the other, many by their hashes.
  private mutating func memberNames(_ names: [String]) {
    let head = "\(access)static func isMember(_ name: String) -> Bool"
    guard !names.isEmpty else { return text.line(head + " { false }") }
    let cases = "case " + names.joined(separator: ", ") + ": true"
    guard names.count <= 16, text.indentation + 2 + cases.count <= SwiftText.width else {
      text.list("private static let memberNames: Set<String> = [", names, end: "]", comma: true)
      text.blank()
      return text.line(head + " { memberNames.contains(name) }")
    }
    text.block(head) { text in
      text.line("switch name {")
      text.line(cases)
      text.line("default: false")
      text.line("}")
    }
  }
}

extension SwiftModelSupport {
  static let direct = #"""
    /// A model that is decoded without a JSON value between; what its type does not say is checked afterwards.
    public protocol JSONDirectModel: JSONModel {
      /// Tells whether a member of this name has a property.
      static func isMember(_ name: String) -> Bool

      /// Reads a value; throws anything for what is wrong, which is then found out by `check`.
      init(direct decoder: any Decoder) throws
    }

    extension JSONDirectModel {
      public static func isMember(_ name: String) -> Bool { false }

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

      func field<Value: JSONConvertible & Decodable>(_ key: JSONKey<Model>) throws
        -> JSONField<Value>
      {
        guard container.contains(key) else { return .missing }
        if try container.decodeNil(forKey: key) { return .null }
        return .value(try container.decode(Value.self, forKey: key))
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

    extension KeyedEncodingContainer {
      mutating func encodeField<Value: JSONConvertible & Encodable>(
        _ field: JSONField<Value>, forKey key: Key
      ) throws {
        switch field {
        case .missing: break
        case .null: try encodeNil(forKey: key)
        case .value(let value): try encode(value, forKey: key)
        }
      }
    }

    /// Checks of what has been decoded already. They may refuse what is right, which is then decoded the other way.
    extension JSONReport {
      mutating func check(_ value: some JSONConvertible, _ checks: Checks) {
        checks(value.jsonValue, &self)
      }

      /// A whole number may have been another before it was a `Double`.
      mutating func check(_ value: Double, _ checks: Checks) {
        if value.magnitude >= 0x1p53 { add("cannot be told from its neighbours") }
        checks(JSONValue(value), &self)
      }

      mutating func size(_ count: Int, least: Int = 0, most: Int = .max) {
        if count < least || count > most { add("must have another number of elements") }
      }

      mutating func distinct(_ values: [some Hashable]) {
        if Set(values).count < values.count { add("must not have an element twice") }
      }
    }

    """#
}
