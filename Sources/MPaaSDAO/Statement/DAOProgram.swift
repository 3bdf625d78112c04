/// A document with the statements of its methods compiled.
package struct DAOProgram: Sendable {
  package struct Method: Sendable {
    package let method: DAOMethod
    package let units: [DAOUnit]
    /// The number of slots for arguments and items of loops.
    package let slotCount: Int
    /// The slot of the item where the method repeats itself.
    package let itemSlot: Int?
    /// True where it is one statement that SQLite itself does whole or not at all.
    package let isSingle: Bool
    /// The method's one statement where it takes one form only, whatever it is called with.
    package internal(set) var constant: DAOStaticStatement?
  }

  package struct Upgrade: Sendable {
    package let upgrade: DAODocument.Upgrade
    package let units: [DAOUnit]
    package let slotCount: Int
  }

  package let document: DAODocument
  package private(set) var methods: [DAOMethod.Signature: Method] = [:]
  package private(set) var upgrades: [Upgrade] = []
  /// The number of methods with a statement that takes one form only.
  private(set) var constantCount = 0

  /// Compiles all methods and upgrades.
  ///
  /// - Throws: The first fault, with its place.
  package init(_ document: DAODocument) throws(DAOError) {
    self.document = document
    var allowance = document.allowance
    do {
      for method in document.methods {
        var compiled = try Self.compiled(method, document, &allowance).method
        compiled.constant = DAOStaticStatement(compiled, constantCount)
        if compiled.constant != nil { constantCount += 1 }
        methods[method.signature] = compiled
      }
      for upgrade in document.upgrades { upgrades.append(try Self.compiled(upgrade, document, &allowance).upgrade) }
    } catch {
      throw error.placed(at: nil, in: document.file)
    }
  }

  /// Reads and compiles a document.
  package init(reading bytes: [UInt8], file: String? = nil) throws(DAOError) {
    try self.init(DAODocument(reading: bytes, file: file))
  }

  /// Compiles a method.
  ///
  /// - Parameter allowance: The size that the statements of this method and of those behind it may grow to.
  static func compiled(
    _ method: DAOMethod, _ document: DAODocument, _ allowance: inout Int
  ) throws(DAOError) -> (method: Method, compiler: DAOCompiler) {
    var compiler = DAOCompiler(document, allowance: allowance)
    defer { allowance -= compiler.size }
    for argument in method.arguments { _ = compiler.declare(argument.name) }
    let itemSlot = method.loop.map { compiler.declare($0.item) }
    let units = try compiler.units(of: method.body)
    let isSingle = method.loop == nil && DAOSingleStatement.isOne(units, in: document)
    let compiled = Method(
      method: method, units: units, slotCount: compiler.slotCount, itemSlot: itemSlot, isSingle: isSingle)
    return (compiled, compiler)
  }

  /// Compiles an upgrade, as a method is.
  static func compiled(
    _ upgrade: DAODocument.Upgrade, _ document: DAODocument, _ allowance: inout Int
  ) throws(DAOError) -> (upgrade: Upgrade, compiler: DAOCompiler) {
    var compiler = DAOCompiler(document, allowance: allowance)
    defer { allowance -= compiler.size }
    let units = try compiler.units(of: upgrade.body)
    return (Upgrade(upgrade: upgrade, units: units, slotCount: compiler.slotCount), compiler)
  }

  /// The method that a call means.
  ///
  /// - Throws: `dao-no-method`, `dao-null-argument`.
  package func method(_ name: String, _ arguments: [DAOValue]) throws(DAOError) -> Method {
    guard let method = methods[DAOMethod.Signature(name: name, count: arguments.count)] else {
      throw DAOError(.noMethod, ["name": name, "count": "\(arguments.count)"], in: document.file)
    }
    for (argument, value) in zip(method.method.arguments, arguments) where argument.isRequired && value == .null {
      throw DAOError(.nullArgument, ["name": argument.name, "method": name], in: document.file)
    }
    return method
  }
}

extension DAOProgram {
  package func scope(_ slotCount: Int, _ arguments: [DAOValue], _ around: DAOSurroundings) -> DAOScope {
    var slots = arguments
    while slots.count < slotCount { slots.append(.null) }
    return DAOScope(
      slots: slots, globals: around.globals, table: around.table ?? document.tableName, secrets: document.secrets,
      crypt: around.crypt)
  }

  /// The scopes of a method's rounds: one, or one for each element where it repeats itself.
  package func scopes(
    _ method: Method, _ arguments: [DAOValue], _ around: DAOSurroundings
  ) throws(DAOError) -> [DAOScope] {
    var scope = scope(method.slotCount, arguments, around)
    guard let loop = method.method.loop, let slot = method.itemSlot else { return [scope] }
    switch arguments[loop.collection] {
    case .null: return []
    case .list(let elements):
      return elements.map { element in
        scope.slots[slot] = element
        return scope
      }
    case let value:
      let name = method.method.arguments[loop.collection].name
      throw DAOError(.argumentType, ["value": name, "kind": value.kind], at: method.method.position, in: document.file)
    }
  }

  /// The statements that a call would run, one after another; those that are empty are left out.
  package func explain(
    _ name: String, _ arguments: [DAOValue], _ around: DAOSurroundings = DAOSurroundings()
  ) throws(DAOError) -> [DAOStatement] {
    let method = try method(name, arguments)
    var statements: [DAOStatement] = []
    for scope in try scopes(method, arguments, around) {
      for unit in method.units {
        do {
          if let statement = try DAOFormatter.statement(unit, scope) { statements.append(statement) }
        } catch {
          throw error.placed(at: nil, in: document.file)
        }
      }
    }
    return statements
  }
}
