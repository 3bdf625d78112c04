import MPaaSSupport

/// Faults of documents.
extension DAOError.Code {
  /// It is no XML, has a document type, is too deep or too large.
  public static let xml = Self("dao-xml")
  /// An element that cannot stand where it does.
  public static let unknownElement = Self("dao-unknown-element")
  /// An attribute that its element does not have.
  public static let unknownAttribute = Self("dao-unknown-attribute")
  /// An attribute that its element needs.
  public static let missingAttribute = Self("dao-missing-attribute")
  /// Two methods have the same name and number of arguments, or two definitions the same name.
  public static let duplicateMethod = Self("dao-duplicate-method")
  /// A `${name}` that no `const` or `sql` defines.
  public static let unknownName = Self("dao-unknown-name")
  /// A `sql` that contains itself.
  public static let cycle = Self("dao-cycle")
  /// A name that is neither an argument nor a loop's item nor a global one.
  public static let unknownArgument = Self("dao-unknown-argument")
  /// An expression that cannot be read, or not be evaluated with the values given.
  public static let expression = Self("dao-expression")
  /// A repetition without a list, or without a name of its own.
  public static let foreach = Self("dao-foreach")
  /// A `step` that stands where none may, or beside something else.
  public static let step = Self("dao-step")
  /// A `try` without its one `except`, or beside something else.
  public static let tryBlock = Self("dao-try")
  /// A shape of results that there is not.
  public static let result = Self("dao-result")
  /// `T` and `t` stand for the table.
  public static let reservedName = Self("dao-reserved-name")
  /// SQLite refuses a statement.
  public static let sql = Self("dao-sql")
  /// A `%{…}` that cannot be read.
  public static let shortcut = Self("dao-shortcut")
  /// A `#{…}`, `@{…}` or `${…}` that cannot be read.
  public static let reference = Self("dao-reference")
  /// An `onVoid` that is neither `quit` nor `ignoreAfter`.
  public static let onVoid = Self("dao-on-void")
  /// A type of an argument or of a result that compiled code cannot have.
  public static let types = Self("dao-types")
  /// A version that is none, or that does not fit the others.
  public static let version = Self("dao-version")
}

/// Warnings.
extension DAOError.Code {
  /// An argument that nothing refers to.
  public static let unusedArgument = Self("dao-unused-argument")
  /// An argument that comes into the SQL as it stands.
  public static let rawReference = Self("dao-raw-reference")
  /// A query with conditions that reads the whole table all the same.
  public static let fullScan = Self("dao-full-scan")
  /// The attribute `flase`, as an old manual spells it.
  public static let misprint = Self("dao-misprint")
}

/// Faults of calls.
extension DAOError.Code {
  /// No method has the name and that number of arguments.
  public static let noMethod = Self("dao-no-method", exit: .usage)
  /// An argument with `$` in front is nil.
  public static let nullArgument = Self("dao-null-argument", exit: .usage)
  /// A value of a kind that cannot stand in its place.
  public static let argumentType = Self("dao-argument-type", exit: .usage)
  /// A column is null that a property which is never nil stands for.
  public static let nullColumn = Self("dao-null-column")
  /// The document names no table, nor does the caller.
  public static let noTable = Self("dao-no-table", exit: .usage)
  /// A transaction is begun twice, or ended without being begun.
  public static let transaction = Self("dao-transaction", exit: .usage)
  /// The table could not be brought to the document's version; nothing was changed.
  public static let upgrade = Self("dao-upgrade")
  /// A property is kept encrypted, and there is no key.
  public static let noKey = Self("dao-no-key", exit: .notPermitted)
  /// A value that the key does not open.
  public static let crypt = Self("dao-crypt", exit: .notPermitted)
  /// A page of an encrypted database or of its log is not as it was written: `file` and `place`, its number.
  public static let damaged = Self("dao-damaged")
  /// The key is not the one of the database.
  public static let keyWrong = Self("dao-key-wrong", exit: .notPermitted)
  /// The database is encrypted, and there is no key.
  public static let keyMissing = Self("dao-key-missing", exit: .notPermitted)
  /// There is a key, and the file is no encrypted database.
  public static let notEncrypted = Self("dao-not-encrypted", exit: .notPermitted)
  /// A key is not 32 bytes.
  public static let keyMalformed = Self("storage-key-malformed")
  /// The database cannot be opened or read.
  public static let database = Self("dao-database", exit: .inputOutput)
}
