import MPaaSSupport

/// Writes one statement of a call: what the interpreter and compiled documents do for each element.
public struct DAOWriter {
  package private(set) var writer: SQLWriter
  /// Properties that are kept encrypted.
  private let secrets: Set<DAOSecret>
  /// nil where values stay as they are.
  private let crypt: DAOCrypt?
  /// True where nothing more is written: `onVoid="ignoreAfter"`.
  private var hasEnded = false
  /// True where the statement is not run: `onVoid="quit"`.
  private var hasQuit = false

  package init(table: String?, secrets: Set<DAOSecret>, crypt: DAOCrypt?) {
    writer = SQLWriter(table: table)
    self.secrets = secrets
    self.crypt = crypt
  }

  /// True as long as something more may be written.
  public var goesOn: Bool { !hasEnded && !hasQuit }

  /// Appends SQL; a byte of 0 is the table's name.
  public mutating func sql(_ text: StaticString) {
    writer.write(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  package mutating func sql(_ bytes: [UInt8]) { writer.write(bytes) }

  /// The statement; nil where it is empty or not to be run.
  ///
  /// - Throws: `dao-no-table`.
  package mutating func finish(
    _ kind: DAOStatement.Kind, isResumable: Bool, at position: DAOPosition
  ) throws(DAOError) -> DAOStatement? {
    guard !hasQuit else { return nil }
    let sql = writer.finish()
    guard !sql.isEmpty else { return nil }
    guard !writer.lacksTable else { throw DAOError(.noTable, at: position) }
    return DAOStatement(kind: kind, sql: sql, bindings: writer.bindings, isResumable: isResumable, position: position)
  }

  // MARK: References

  /// Appends what a reference stands for.
  ///
  /// - Parameters:
  ///   - root: The value of its first name.
  ///   - rule: The form of the reference.
  /// - Throws: `dao-argument-type`, `dao-crypt`.
  public mutating func write(_ root: DAOValue, _ rule: DAOReferenceRule) throws(DAOError) {
    do {
      if rule.isBound {
        writer.bind(try DAOBinding.value(root, rule, secrets, crypt))
      } else {
        try inline(DAOBinding.stored(root, rule, secrets, crypt), rule)
      }
    } catch {
      throw error.placed(at: rule.position)
    }
  }

  /// Appends what a reference could stand for.
  package mutating func writeSample(of rule: DAOReferenceRule) {
    if rule.isBound { return writer.bind(.null) }
    if writer.state == .plain { return writer.inline(raw: rule.isRaw ? "1" : "NULL") }
    writer.inline(text: "x")
  }

  private mutating func inline(_ value: DAOValue, _ rule: DAOReferenceRule) throws(DAOError) {
    let mismatch = { DAOError(.argumentType, ["value": rule.text, "kind": value.kind]) }
    switch value {
    case .null:
      // Inside of a literal nil is nothing, as it is where the text comes as it stands.
      if !rule.isRaw, writer.state == .plain { writer.inline(raw: "NULL") }
    case .bool(let flag): writer.inline(raw: flag ? "1" : "0")
    case .integer(let number): writer.inline(raw: String(number))
    case .real(let number):
      guard number.isFinite else { throw mismatch() }
      writer.inline(raw: "\(number)")
    case .text(let text):
      guard !text.utf8.contains(0) else { throw mismatch() }
      if rule.isRaw { writer.write(Array(text.utf8)) } else { writer.inline(text: text) }
    case .data(let bytes): writer.inline(raw: "X'\(bytes.hexadecimal.uppercased())'")
    case .list, .dictionary, .object: throw mismatch()
    }
  }

  // MARK: Conditions

  /// Evaluates the condition of an `if` or a `when` for which `body` gives the truth of its expression.
  ///
  /// - Throws: `dao-expression`, `dao-argument-type`, with the place of the element.
  public func holds(
    _ wanted: Bool, _ line: Int, _ column: Int, _ body: () throws(DAOError) -> Bool
  ) throws(DAOError) -> Bool {
    do {
      return try body() == wanted
    } catch {
      throw error.placed(at: DAOPosition(line, column))
    }
  }

  // MARK: Repetitions

  /// A repetition that is being written.
  public struct Loop {
    fileprivate let start: SQLWriter.Mark
    fileprivate var before: SQLWriter.Mark
    fileprivate var content = 0
    fileprivate var isFirst = true
    /// The elements with their numbers or names, in the order in which they are written.
    public let items: [(index: DAOValue, item: DAOValue)]
  }

  /// Begins to repeat what is in a `foreach`.
  ///
  /// - Throws: `dao-argument-type` where the value is no collection.
  public mutating func begin(_ collection: DAOValue, _ rule: DAOLoopRule) throws(DAOError) -> Loop {
    begin(try Self.items(collection, rule), rule)
  }

  package mutating func begin(_ items: [(index: DAOValue, item: DAOValue)], _ rule: DAOLoopRule) -> Loop {
    let start = writer.mark
    writer.write(rule.open)
    return Loop(start: start, before: start, items: rule.isReverse ? items.reversed() : items)
  }

  /// Begins the next element.
  public mutating func next(_ loop: inout Loop, _ rule: DAOLoopRule) {
    loop.before = writer.mark
    if !loop.isFirst { writer.write(rule.separator) }
    loop.content = writer.count
  }

  /// Ends an element; one that is empty goes with its separator.
  public mutating func end(_ loop: inout Loop) {
    if writer.trim(from: loop.content) { loop.isFirst = false } else { writer.restore(loop.before) }
  }

  /// Ends the repetition.
  public mutating func close(_ loop: Loop, _ rule: DAOLoopRule) {
    if loop.isFirst { writer.restore(loop.start) } else { writer.write(rule.close) }
  }

  /// The elements of a collection with their numbers from 0; those of a dictionary with their names, in their order.
  private static func items(
    _ collection: DAOValue, _ rule: DAOLoopRule
  ) throws(DAOError) -> [(index: DAOValue, item: DAOValue)] {
    switch collection {
    case .null: return []
    case .list(let elements): return elements.enumerated().map { (.integer($0), $1) }
    case .dictionary(let members): return sorted(members).map { (.text($0), $1) }
    case let value: throw DAOError(.argumentType, ["value": rule.text, "kind": value.kind])
    }
  }

  private static func sorted(_ members: [String: DAOValue]) -> [(key: String, value: DAOValue)] {
    members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  }

  // MARK: Elements around others

  /// An element that is being written.
  public struct Trim {
    fileprivate let start: SQLWriter.Mark
    fileprivate let content: Int
  }

  /// Begins a `trim`, `where` or `set`.
  public mutating func begin(_ rule: DAOTrimRule) -> Trim {
    let start = writer.mark
    writer.space()
    if !rule.prefix.isEmpty {
      writer.write(rule.prefix)
      writer.space()
    }
    return Trim(start: start, content: writer.count)
  }

  /// Ends it.
  public mutating func end(_ trim: Trim, _ rule: DAOTrimRule) {
    if writer.trim(from: trim.content) {
      writer.removePrefix(rule.prefixOverrides, from: trim.content)
      _ = writer.trim(from: trim.content)
      writer.removeSuffix(rule.suffixOverrides, from: trim.content)
    }
    if writer.trim(from: trim.content) {
      writer.space()
      if !rule.suffix.isEmpty {
        writer.write(rule.suffix)
        writer.space()
      }
      return
    }
    writer.restore(trim.start)
    writer.space()
    switch rule.onVoid {
    case .quit: hasQuit = true
    case .ignoreAfter: hasEnded = true
    case nil: break
    }
  }

  // MARK: Pairs

  /// Writes the pairs of a `format`.
  ///
  /// - Throws: `dao-argument-type` where the value has no members, or one that is no value of a statement.
  public mutating func write(_ pairs: DAOValue, _ rule: DAOFormatRule) throws(DAOError) {
    let members: [String: DAOValue]
    switch pairs {
    case .null: return writer.space()
    case .dictionary(let own): members = own
    case .object(let object): members = object.properties
    case let value: throw DAOError(.argumentType, ["value": rule.text, "kind": value.kind])
    }
    guard !members.isEmpty else { return writer.space() }
    writer.space()
    writer.write(rule.prefix)
    writer.space()
    for (index, (key, value)) in Self.sorted(members).enumerated() {
      if index > 0 {
        if let join = rule.join { writer.write([0x20] + join + [0x20]) } else { writer.write(Array(", ".utf8)) }
      }
      try write(key, value, rule)
    }
    writer.space()
  }

  private mutating func write(_ key: String, _ value: DAOValue, _ rule: DAOFormatRule) throws(DAOError) {
    guard !key.utf8.contains(0) else { throw DAOError(.argumentType, ["value": rule.text, "kind": "name"]) }
    writer.inline(raw: DAOName.isPlain(key) ? key : DAOName.quoted(key))
    if rule.join != nil, value == .null { return writer.inline(raw: " IS NULL") }
    writer.inline(raw: " = ")
    writer.bind(try DAOBinding.scalar(value, rule.text))
  }
}

/// The values of references.
enum DAOBinding {
  /// The value of a `#{…}`.
  static func value(
    _ root: DAOValue, _ rule: DAOReferenceRule, _ secrets: Set<DAOSecret>, _ crypt: DAOCrypt?
  ) throws(DAOError) -> DAOValue {
    try scalar(stored(root, rule, secrets, crypt), rule.text)
  }

  /// The value as it goes into the database: encrypted where the document says so.
  static func stored(
    _ root: DAOValue, _ rule: DAOReferenceRule, _ secrets: Set<DAOSecret>, _ crypt: DAOCrypt?
  ) throws(DAOError) -> DAOValue {
    var value = root
    let properties = rule.properties
    for (index, name) in properties.enumerated() {
      if let crypt, index == properties.count - 1, case .object(let object) = value {
        let secret = DAOSecret(object.className, name)
        if secrets.contains(secret) {
          value = try crypt.seal(value.property(name), secret)
          break
        }
      }
      value = try value.property(name)
    }
    if case .null = value, let fallback = rule.fallback { return .text(fallback) }
    return value
  }

  static func scalar(_ value: DAOValue, _ text: String) throws(DAOError) -> DAOValue {
    switch value {
    case .list, .dictionary, .object: throw DAOError(.argumentType, ["value": text, "kind": value.kind])
    default: return value
    }
  }
}
