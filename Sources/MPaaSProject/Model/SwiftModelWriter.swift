import MPaaSSupport

/// Writes a `ModelSet` as Swift.
package struct SwiftModelWriter {
  package struct Options: Sendable {
    package enum Access: String, Sendable, CaseIterable { case `internal`, `package`, `public` }
    package enum Dates: String, Sendable, CaseIterable {
      /// A type that knows the date and keeps the text.
      case exact
      /// `Date`, written again in UTC.
      case date
      /// `String`, checked.
      case string
    }
    package var access: Access
    package var dates: Dates
    /// An enumeration without cases that holds all types; nil to have them at the top.
    package var namespace: String?

    package init(access: Access = .internal, dates: Dates = .exact, namespace: String? = nil) {
      self.access = access
      self.dates = dates
      self.namespace = namespace
    }
  }

  let set: ModelSet
  let options: Options
  var text = SwiftText()

  let checkWriter: SwiftCheckWriter

  private init(_ set: ModelSet, _ options: Options, _ checks: SwiftCheckWriter? = nil) {
    self.set = set
    self.options = options
    checkWriter = checks ?? SwiftCheckWriter(set)
    direct = SwiftDirectCoding(set: set, dates: options.dates)
  }

  /// The declarations of a set for several files, and what they share for one more.
  ///
  /// - Parameters:
  ///   - groups: The declarations of each file.
  ///   - checks: Names the checks for all of them.
  static func sources(
    _ set: ModelSet, _ groups: [[ModelDeclaration]], _ checks: SwiftCheckWriter, _ options: Options
  ) -> (files: [String], shared: String) {
    let base = SwiftModelWriter(set, options, checks)
    let files = groups.map { group in
      var writer = base
      for declaration in group {
        writer.text.blank()
        writer.write(declaration)
      }
      return writer.text.text
    }
    var writer = base
    writer.shared()
    return (files, writer.text.lines.isEmpty ? "" : writer.text.text)
  }

  let direct: SwiftDirectCoding

  /// The declarations, without a header and without what `SwiftModelSupport` writes.
  package static func source(_ set: ModelSet, _ options: Options = Options()) -> String {
    var writer = SwiftModelWriter(set, options)
    if let namespace = options.namespace {
      writer.line("enum \(namespace) {")
      writer.text.indented { text in
        var inner = SwiftModelWriter(set, options)
        inner.text = text
        inner.declarations()
        text = inner.text
      }
      writer.text.line("}")
    } else {
      writer.declarations()
    }
    return writer.text.text
  }

  /// The word for the access and a space; nothing where it is Swift's own choice.
  var access: String { options.access == .internal ? "" : options.access.rawValue + " " }

  mutating func line(_ line: String) { text.line(access + line) }

  private mutating func declarations() {
    for declaration in set.declarations {
      text.blank()
      write(declaration)
    }
    shared()
  }

  /// The patterns and the checks that several types share.
  private mutating func shared() {
    checkWriter.patternTable(to: &text)
    guard !set.functions.isEmpty else { return }
    text.blank()
    text.documentation(["Checks that several types share."])
    let (set, checks) = (set, checkWriter)
    text.block("\(checks.access)enum \(checks.prefix)Checks") { text in
      for function in set.functions {
        text.blank()
        checks.function(function.name, function.checks, access: "", to: &text)
      }
    }
  }

  private mutating func write(_ declaration: ModelDeclaration) {
    text.documentation(declaration.documentation)
    switch declaration.kind {
    case .object(let object): write(object, declaration)
    case .tuple(let tuple): write(tuple, declaration)
    case .enumeration(let constants): write(constants, declaration)
    case .union(let cases): write(cases, declaration)
    case .value(let type): write(type, declaration)
    }
  }

  /// The name of a type.
  package static func name(_ type: ModelType, _ dates: Options.Dates) -> String {
    switch type {
    case .any, .null: "JSONValue"
    case .boolean: "Bool"
    case .integer(.int): "Int"
    case .integer(.int32): "Int32"
    case .integer(.int64): "Int64"
    case .integer(.uint64): "UInt64"
    case .number: "Double"
    case .string(.dateTime): dates == .exact ? "JSONDateTime" : dates == .date ? "Date" : "String"
    case .string(.date): dates == .exact ? "JSONDate" : "String"
    case .string: "String"
    case .array(let element): "[\(name(element, dates))]"
    case .map(let value): "[String: \(name(value, dates))]"
    case .nullable(let type): type.isNullable ? name(type, dates) : name(type, dates) + "?"
    case .named(let name): name
    }
  }

  func name(_ type: ModelType) -> String { Self.name(type, options.dates) }

  /// The function that holds a declaration's checks.
  mutating func checks(_ declaration: ModelDeclaration) {
    text.blank()
    checkWriter.function("check", declaration.checks, access: access, to: &text)
  }
}

extension SwiftModelWriter {
  /// A structure around one value.
  mutating func write(_ type: ModelType, _ declaration: ModelDeclaration) {
    let left = direct.isDecodable(type) ? direct.left(of: declaration.checks, by: type) : nil
    let (access, type) = (access, name(type))
    line("struct \(declaration.name): \(left != nil ? "JSONDirectModel" : "JSONModel") {")
    edit { writer in
      writer.line("var value: \(type)")
      writer.text.blank()
      writer.text.block("\(access)init(_ value: \(type))") { $0.line("self.value = value") }
      if let left { writer.directCoding(of: type, left) }
      writer.text.blank()
      writer.text.block("\(access)init(jsonValue json: JSONValue) throws") { text in
        text.line("value = try \(type)(jsonValue: json)")
      }
      writer.text.blank()
      writer.line("var jsonValue: JSONValue { value.jsonValue }")
      writer.checks(declaration)
    }
    text.line("}")
  }

  mutating func edit(_ body: (inout SwiftModelWriter) -> Void) {
    var inner = self
    text.indented { text in
      inner.text = text
      body(&inner)
      text = inner.text
    }
  }

  /// An enumeration: with raw values where all are strings or all are whole numbers.
  mutating func write(_ constants: [ModelConstant], _ declaration: ModelDeclaration) {
    let isText = constants.allSatisfy { $0.value.string != nil }
    let isWhole = constants.allSatisfy { $0.value.integer(Int.self) != nil }
    let raw = isText ? "String, " : isWhole ? "Int, " : ""
    line("enum \(declaration.name): \(raw)JSONModel, CaseIterable {")
    edit { writer in
      for constant in constants {
        writer.text.line(Self.caseLine(constant, isText: isText, isWhole: isWhole))
      }
      if raw.isEmpty { writer.mixedValues(constants) } else { writer.rawCoding(constants, declaration) }
      writer.checks(declaration)
    }
    text.line("}")
  }

  private static func caseLine(_ constant: ModelConstant, isText: Bool, isWhole: Bool) -> String {
    let name = SwiftSpelling.member(constant.name)
    if isText, let text = constant.value.string {
      return text == constant.name && !name.hasSuffix("Member")
        ? "case \(name)" : "case \(name) = \(SwiftSpelling.literal(text))"
    }
    if isWhole, let number = constant.value.integer(Int.self) { return "case \(name) = \(number)" }
    return "case \(name)"
  }

  /// Enumerations with raw values have two ways to be decoded, so each says itself which it is.
  private mutating func rawCoding(_ constants: [ModelConstant], _ declaration: ModelDeclaration) {
    let isDirect = direct.isDirect(constants, declaration)
    text.blank()
    text.block("\(access)init(from decoder: any Decoder) throws") { text in
      guard isDirect else { return text.line("self = try Self.decoded(from: decoder)") }
      text.line("if let value = try? RawValue(from: decoder), let known = Self(rawValue: value) {")
      text.indented { $0.line("self = known") }
      text.line("} else {")
      text.indented { $0.line("self = try Self.decoded(from: decoder)") }
      text.line("}")
    }
    text.blank()
    text.block("\(access)func encode(to encoder: any Encoder) throws") { $0.line("try rawValue.encode(to: encoder)") }
  }

  private mutating func mixedValues(_ constants: [ModelConstant]) {
    text.blank()
    text.block("\(access)init(jsonValue json: JSONValue) throws") { text in
      text.line("guard let known = Self.allCases.first(where: { $0.jsonValue == json }) else {")
      text.indented { $0.line("throw JSONProblem(\"is not one of the permitted values\")") }
      text.line("}")
      text.line("self = known")
    }
    text.blank()
    text.block("\(access)var jsonValue: JSONValue") { text in
      text.line("switch self {")
      for constant in constants {
        text.list("case .\(SwiftSpelling.member(constant.name)): ", [SwiftCheckWriter.literal(constant.value)], end: "")
      }
      text.line("}")
    }
  }
}
