import CPostgres
import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A live connection to a server: statements go out one after the other, and are waited for together.
///
/// - Source: PostgreSQL 15, 34.5 "Pipeline Mode". What follows a failed statement in a pipeline is not run.
final class PostgresLink {
  /// A statement on its way.
  private struct Sent {
    /// The statement where it is being prepared; nil where it runs.
    var prepares: Key?
    /// Tells whether its result is asked for.
    var isAsked = false
  }

  /// A statement with the types of its values: each combination is prepared by itself.
  private struct Key: Hashable {
    var sql: String
    var types: [UInt32]
  }

  private final class Statement {
    let name: String
    let places: [Int]
    /// The number of the link's statements at its last use.
    var lastUse: UInt64 = 0

    init(_ name: String, _ places: [Int]) { (self.name, self.places) = (name, places) }
  }

  /// The number of statements that stay prepared; where there are more, the half that was not used for longest goes.
  private static let mostPrepared = 1024
  /// Statements, and bytes of their values, that are on their way at once.
  private static let mostSent = 256
  private static let mostBytes = 4 << 20

  private let connection: OpaquePointer
  private let shown: String
  private let access: DatabaseAddress.Access
  private var statements: [Key: Statement] = [:]
  private var uses: UInt64 = 0
  private var sent: [Sent] = []
  private var sentBytes = 0
  /// The results that were asked for, of those that were waited for.
  private var results: [PostgresResult] = []
  /// The number of rows that the last statement changed, of those that were waited for.
  private(set) var changes = 0
  private(set) var isLost = false

  /// Connects.
  ///
  /// - Throws: `database-library`, `database-address`, `database-password`, `database-unavailable`,
  ///   `database-encoding`.
  init(_ address: PostgresAddress, _ access: DatabaseAddress.Access) throws(SQLError) {
    (shown, self.access) = (address.shown, access)
    switch mp_postgres_load() {
    case MP_POSTGRES_READY: break
    case MP_POSTGRES_OLD: throw SQLError(.library, ["file": shown, "reason": "libpq < 14"])
    default: throw SQLError(.library, ["file": shown, "reason": "libpq.so.5"])
    }
    if let problem = mp_postgres_address_problem(address.url) {
      defer { free(problem) }
      throw SQLError(.address, ["file": shown, "reason": Self.line(problem)])
    }
    // Settings in the address take the place of those before it.
    let settings = [
      ("fallback_application_name", "mpaas"), ("connect_timeout", "10"), ("keepalives_idle", "30"),
      ("tcp_user_timeout", "30000"), ("dbname", address.url), ("client_encoding", "UTF8"),
    ]
    let texts = settings.map { (strdup($0.0), strdup($0.1)) }
    defer {
      for (key, value) in texts {
        free(key)
        free(value)
      }
    }
    let keys = texts.map { UnsafePointer($0.0) } + [nil]
    let values = texts.map { UnsafePointer($0.1) } + [nil]
    guard let connection = mp_postgres_connect(keys, values) else {
      throw SQLError(.unavailable, ["file": shown, "reason": "out of memory"])
    }
    self.connection = connection
    guard mp_postgres_is_connected(connection) else {
      let code: SQLError.Code = mp_postgres_needs_password(connection) ? .password : .unavailable
      // The connection, which libpq made in part, is freed by `deinit`.
      throw SQLError(code, ["file": shown, "reason": Self.line(mp_postgres_error(connection))])
    }
    let encoding = mp_postgres_parameter(connection, "server_encoding").map { String(cString: $0) } ?? ""
    guard encoding == "UTF8" else { throw SQLError(.encoding, ["file": shown, "encoding": encoding]) }
    guard mp_postgres_enter_pipeline(connection) else { throw lost() }
  }

  deinit { mp_postgres_finish(connection) }

  /// The words of libpq without the ends of their lines.
  private static func line(_ text: UnsafePointer<CChar>) -> String {
    String(cString: text).split(whereSeparator: \.isNewline).joined(separator: "; ")
  }

  /// Sends a statement; its result is waited for later, and is one of `settle` where it is asked for.
  func send(_ sql: String, _ values: [SQLValue], isAsked: Bool = false) throws(SQLError) {
    guard !isLost else { throw gone() }
    if sent.count >= Self.mostSent || sentBytes >= Self.mostBytes { try wait() }
    let statement = try prepared(sql, values)
    let encoded = PostgresValues(values, statement.places)
    let isSent = encoded.withPointers { pointers in
      mp_postgres_send_run(
        connection, statement.name, Int32(clamping: pointers.count), pointers, encoded.lengths, encoded.formats)
    }
    guard isSent else { throw lost() }
    sent.append(Sent(isAsked: isAsked))
    sentBytes += encoded.bytes.count
  }

  /// Sends one statement without values that is not worth being prepared.
  func send(text: String) throws(SQLError) {
    guard !isLost else { throw gone() }
    guard mp_postgres_send_text(connection, text) else { throw lost() }
    sent.append(Sent())
  }

  /// Waits for all statements that were sent.
  ///
  /// - Returns: The results that were asked for, in the order of their statements.
  /// - Throws: The error of the first one that failed.
  @discardableResult
  func settle() throws(SQLError) -> [PostgresResult] {
    defer { results = [] }
    try wait()
    return results
  }

  /// Waits for all statements that were sent, and keeps the results that were asked for.
  private func wait() throws(SQLError) {
    guard !sent.isEmpty else { return }
    guard !isLost else { throw gone() }
    guard mp_postgres_send_sync(connection) else { throw lost() }
    defer { (sent, sentBytes) = ([], 0) }
    var failure: SQLError?
    for statement in sent {
      guard let result = nextResult() else { throw lost() }
      switch mp_postgres_outcome_of(result.pointer) {
      case MP_POSTGRES_DONE, MP_POSTGRES_ROWS:
        if statement.isAsked { results.append(result) }
        if let count = result.changes { changes = count }
      case MP_POSTGRES_FAILED:
        failure = failure ?? error(result)
        // The words with which a server ends a connection come before its end does.
        if failure?.code == .unavailable { isLost = true }
        fallthrough
      default:
        if let key = statement.prepares { statements[key] = nil }
      }
      // Behind the results of each statement stands one that is none.
      while nextResult() != nil {}
      guard mp_postgres_is_connected(connection) else { throw lost(failure) }
    }
    guard nextResult() != nil else { throw lost(failure) }
    if let failure {
      results = []
      throw failure
    }
  }

  private func nextResult() -> PostgresResult? { mp_postgres_next(connection).map(PostgresResult.init) }

  // MARK: - Prepared statements

  private func prepared(_ sql: String, _ values: [SQLValue]) throws(SQLError) -> Statement {
    uses += 1
    let key = Key(sql: sql, types: values.map(PostgresType.of))
    if let found = statements[key] {
      found.lastUse = uses
      return found
    }
    let text = PostgresText(sql) { place in place >= values.count || values[place] == .null }
    guard text.statements.count == 1 else {
      throw SQLError(.failed, ["file": shown, "reason": "\(text.statements.count) statements"])
    }
    if statements.count >= Self.mostPrepared { try forgetOldest() }
    let statement = Statement("s\(uses)", text.places)
    statement.lastUse = uses
    let types = text.places.map { key.types[$0] }
    guard mp_postgres_send_prepare(connection, statement.name, text.statements[0], Int32(clamping: types.count), types)
    else { throw lost() }
    statements[key] = statement
    sent.append(Sent(prepares: key))
    return statement
  }

  private func forgetOldest() throws(SQLError) {
    let bound = statements.values.map(\.lastUse).sorted()[statements.count / 2]
    let old = statements.filter { $0.value.lastUse <= bound }
    for (key, statement) in old {
      statements[key] = nil
      try send(text: "DEALLOCATE \(statement.name)")
    }
  }

  // MARK: - Errors

  /// The error of a connection that has ended.
  private func lost(_ failure: SQLError? = nil) -> SQLError {
    isLost = true
    if let failure, failure.code == .unavailable { return failure }
    return SQLError(.unavailable, ["file": shown, "reason": Self.line(mp_postgres_error(connection))])
  }

  private func gone() -> SQLError { SQLError(.unavailable, ["file": shown, "reason": "not connected"]) }

  private func error(_ result: PostgresResult) -> SQLError {
    let state = String(cString: mp_postgres_state(result.pointer))
    let message = Self.line(mp_postgres_message(result.pointer))
    return SQLError(code(state), ["file": shown, "reason": state.isEmpty ? message : "\(message) (\(state))"])
  }

  /// The code of a state of SQL.
  ///
  /// Source: PostgreSQL 15, Appendix A "PostgreSQL Error Codes".
  private func code(_ state: String) -> SQLError.Code {
    switch state {
    // Serialization failures and deadlocks.
    case "40001", "40P01": .contention
    // Shut down, crashed, starting; too many connections.
    case "57P01", "57P02", "57P03", "57P05", "53300": .unavailable
    // Read-only, since another server is the primary now.
    case "25006" where access == .readWrite: .unavailable
    case "55P03", "57014": .busy
    case "53100": .full
    case _ where state.hasPrefix("08"): .unavailable
    case _ where state.hasPrefix("23"): .constraint
    default: .failed
    }
  }
}
