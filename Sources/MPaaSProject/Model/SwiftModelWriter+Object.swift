import MPaaSSupport

extension SwiftModelWriter {
  /// A structure with a property for each member.
  mutating func write(_ object: ModelObject, _ declaration: ModelDeclaration) {
    let properties = object.properties.map { SwiftProperty($0, options.dates) }
    let rest = object.rest.map { "[String: \(name($0))]" }
    let left = direct.left(of: object, declaration)
    line("struct \(declaration.name): \(left != nil ? "JSONDirectModel" : "JSONModel") {")
    edit { writer in
      writer.stored(properties)
      if let rest {
        if !properties.isEmpty { writer.text.blank() }
        writer.text.documentation(["Members that have no property of their own."])
        writer.line("var additionalProperties: \(rest)")
      }
      writer.memberwise(properties, rest: rest.map { ("additionalProperties", $0, "[:]") })
      if let left { writer.directCoding(properties, hasRest: rest != nil, left) }
      writer.reading(properties, hasRest: rest != nil)
      writer.writing(properties, hasRest: rest != nil)
      writer.checks(declaration)
    }
    text.line("}")
  }

  mutating func stored(_ properties: [SwiftProperty]) {
    for property in properties {
      text.documentation(property.documentation)
      text.line((property.isIndirect ? "@JSONIndirect " : "") + access + "var \(property.name): \(property.type)")
    }
  }

  mutating func memberwise(_ properties: [SwiftProperty], rest: (name: String, type: String, value: String)?) {
    var parameters = properties.map { "\($0.name): \($0.type)" + ($0.fallback.map { " = \($0)" } ?? "") }
    if let rest { parameters.append("\(rest.name): \(rest.type) = \(rest.value)") }
    text.blank()
    let head = "\(access)init("
    let indent = text.indentation
    if indent + head.count + parameters.joined(separator: ", ").count + 3 <= SwiftText.width {
      text.line(head + parameters.joined(separator: ", ") + ") {")
    } else {
      text.line(head)
      text.indented { text in
        for (index, parameter) in parameters.enumerated() {
          text.line(parameter + (index < parameters.count - 1 ? "," : ""))
        }
      }
      text.line(") {")
    }
    text.indented { text in
      for property in properties { text.line("self.\(property.name) = \(property.name)") }
      if let rest { text.line("self.\(rest.name) = \(rest.name)") }
    }
    text.line("}")
  }

  private mutating func reading(_ properties: [SwiftProperty], hasRest: Bool) {
    text.blank()
    text.block("\(access)init(jsonValue json: JSONValue) throws") { text in
      text.line(hasRest || !properties.isEmpty ? "var members = try JSONMembers(json)" : "_ = try JSONMembers(json)")
      for property in properties {
        text.list(
          "\(property.name) = try members.\(property.presence.rawValue)(",
          [SwiftSpelling.literal(property.jsonName)], end: ")")
      }
      if hasRest { text.line("additionalProperties = try members.rest()") }
    }
  }

  private mutating func writing(_ properties: [SwiftProperty], hasRest: Bool) {
    text.blank()
    text.block("\(access)var jsonValue: JSONValue") { text in
      if properties.isEmpty {
        return text.line(hasRest ? "additionalProperties.jsonValue" : ".object([:])")
      }
      text.line("var members = JSONMembers(\(hasRest ? "additionalProperties" : ""))")
      for property in properties {
        let value =
          property.type.hasSuffix("?") && property.presence != .required
          ? "\(property.name)?.jsonValue" : "\(property.name).jsonValue"
        text.line("members[\(SwiftSpelling.literal(property.jsonName))] = \(value)")
      }
      text.line("return .object(members.values)")
    }
  }
}

/// A member of a structure.
struct SwiftProperty {
  enum Presence: String {
    /// It is always there.
    case required
    /// It may be missing, but not null.
    case optional
    /// It may be missing or null, which means the same.
    case lenient
    /// It may be missing, and it may be null.
    case field
  }
  let jsonName: String
  let name: String
  let type: String
  let presence: Presence
  let isIndirect: Bool
  let documentation: [String]

  /// The property in an initializer whose parameter is a `decoder`.
  var reference: String { name == "decoder" ? "self.decoder" : name }

  init(_ property: ModelProperty, _ dates: SwiftModelWriter.Options.Dates) {
    jsonName = property.jsonName
    name = SwiftSpelling.member(property.name)
    let bare = SwiftModelWriter.name(property.type.bare, dates)
    isIndirect = property.isIndirect
    documentation = property.documentation
    switch (property.isRequired, property.type) {
    case (true, let type):
      presence = .required
      self.type = SwiftModelWriter.name(type, dates)
    case (false, .nullable) where property.isLenient:
      presence = .lenient
      type = bare + "?"
    case (false, .nullable):
      presence = .field
      type = "JSONField<\(bare)>"
    case (false, _):
      presence = .optional
      type = bare + "?"
    }
  }

  /// The value of a parameter that is left out.
  var fallback: String? {
    switch presence {
    case .required: nil
    case .optional, .lenient: "nil"
    case .field: ".missing"
    }
  }
}
