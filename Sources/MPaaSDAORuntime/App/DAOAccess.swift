/// The settings and the database of an object whose methods a document describes.
///
/// `DAO` of `MPaaSDAO` has them, and each class that `mpaas dao compile` makes.
public protocol DAOAccess: Sendable {
  /// The database and the settings.
  var storage: DAOStorage { get }
}

/// A class that `mpaas dao compile` made of a document.
public protocol CompiledDAO: DAOAccess {
  /// Creates an object on a database that is open.
  init(storage: DAOStorage)
}

extension CompiledDAO {
  /// An object with the same database and settings for another table, as where each conversation has its own.
  public func forTable(_ name: String) -> Self { Self(storage: storage.forTable(name)) }

  /// Gets what happens to tables, on the thread of the call by which it happened, once that is over.
  public var eventHandler: (@Sendable (Self, DAOEvent) -> Void)? {
    get {
      guard let handler = storage.handler else { return nil }
      return { (object: Self, event: DAOEvent) in handler(object.storage, event) }
    }
    nonmutating set {
      guard let handler = newValue else { return storage.handler = nil }
      storage.handler = { (storage: DAOStorage, event: DAOEvent) in handler(Self(storage: storage), event) }
    }
  }
}

extension DAOAccess {
  /// The table that `${T}` stands for.
  public var tableName: String? {
    get { storage.tableName }
    nonmutating set { storage.tableName = newValue }
  }

  /// The file of the database.
  public var databasePath: String { storage.databasePath }

  /// Values that all methods can use by their names.
  public var globalArguments: [String: DAOValue] {
    get { storage.globalArguments }
    nonmutating set { storage.globalArguments = newValue }
  }

  /// The functions for properties that the document wants encrypted; a document that has such is not called without.
  public var crypt: DAOCrypt? {
    get { storage.crypt }
    nonmutating set { storage.crypt = newValue }
  }

  /// The names of the document's methods, in its order.
  public var allMethods: [String] { storage.module.methodNames }

  /// Begins or ends a transaction over several calls, which those of all threads are then part of.
  ///
  /// - Throws: `dao-transaction` where one is open already, or none is.
  public func daoTransaction(_ step: DAOTransaction) throws(DAOError) { try storage.transaction(step) }

  /// Opens a connection for methods with `parallel="true"` before they need one.
  ///
  /// - Parameter seconds: The time after which connections that are not in use are closed; the usual one where it is 0.
  public func prepareParallelConnection(autoclose seconds: Double = 0) throws(DAOError) {
    try storage.prepareReader(autoclose: seconds)
  }
}
