/// The methods of a DAO document on a database, from any thread.
///
/// ```swift
/// let messages = try DAO(document: "messages.xml", databasePath: "user.sqlite")
/// try messages.update("add", [.text("hello")])
/// let found = try messages.select("find", [.integer(1)])
/// ```
///
/// One connection writes, for one thread at a time; methods with `parallel="true"` read beside it what was committed.
public final class DAO: DAOAccess {
  /// The database and the settings.
  public let storage: DAOStorage
  private let program: DAOProgram

  private init(_ program: DAOProgram, _ storage: DAOStorage) {
    self.program = program
    self.storage = storage
  }

  /// Creates an object of the bytes of a document.
  ///
  /// - Parameter key: 32 secret bytes that the database is encrypted with, as which a new one is made; nil for a plain
  ///   one.
  /// - Throws: What is wrong with the document; `dao-database` where the database cannot be opened; `dao-key-wrong`,
  ///   `dao-key-missing`, `dao-not-encrypted` where the key does not fit it.
  public convenience init(
    bytes: [UInt8], databasePath: String, file: String? = nil, key: [UInt8]? = nil
  ) throws(DAOError) {
    let program = try DAOProgram(reading: bytes, file: file)
    self.init(program, try DAOStorage(program.module, databasePath: databasePath, key: key))
  }

  /// Creates an object of a document's file.
  ///
  /// - Throws: As for bytes; `dao-xml` where the file cannot be read.
  public convenience init(document file: String, databasePath: String, key: [UInt8]? = nil) throws(DAOError) {
    try self.init(bytes: DAOFile.bytes(file), databasePath: databasePath, file: file, key: key)
  }

  /// An object with the same document, database and settings for another table, as where each conversation has its own.
  public func forTable(_ name: String) -> DAO { DAO(program, storage.forTable(name)) }

  /// Gets what happens to tables, on the thread of the call by which it happened, once that is over.
  public var eventHandler: (@Sendable (DAO, DAOEvent) -> Void)? {
    get {
      guard let handler = storage.handler else { return nil }
      return { dao, event in handler(dao.storage, event) }
    }
    set {
      guard let handler = newValue else { return storage.handler = nil }
      let program = program
      storage.handler = { storage, event in handler(DAO(program, storage), event) }
    }
  }

  // MARK: Calls

  /// Calls a method of the document.
  ///
  /// - Throws: The reason why it was not done; the database is as it was then.
  @discardableResult
  public func call(_ method: String, _ arguments: [DAOValue] = []) throws(DAOError) -> DAOOutcome {
    let found = try program.method(method, arguments)
    return try storage.read(isParallel: found.method.isParallel) { session throws(DAOError) in
      try DAOInterpreter(program, session).call(found, arguments)
    }
  }

  /// Calls a select.
  ///
  /// - Returns: Its result; nil in the form of `DAOValue.null` where it found no row, or changed some.
  public func select(_ method: String, _ arguments: [DAOValue] = []) throws(DAOError) -> DAOValue {
    if case .result(let value) = try call(method, arguments) { value } else { .null }
  }

  /// Calls an insert, update or delete.
  ///
  /// - Returns: The number of rows that it changed.
  @discardableResult
  public func update(_ method: String, _ arguments: [DAOValue] = []) throws(DAOError) -> Int {
    if case .changed(let rows, _) = try call(method, arguments) { rows } else { 0 }
  }
}
