import Dispatch
import MPaaSDatabase
import MPaaSSupport
import Synchronization

/// A connection and the thread that alone uses it.
final class StoreConnection: @unchecked Sendable {
  /// Touched on `queue` only, after it was made; hence no other protection, as for all that changes.
  private let database: any SQLDatabase
  let queue: DispatchQueue
  private let patience: StorePatience
  /// The number of the server that is to be signed in at the end of each transaction; nil where servers do not sign in.
  let fence = Mutex<Int64?>(nil)
  /// Tries of a transaction that is in the way of others.
  private static let mostTries = 12

  init(_ database: any SQLDatabase, _ name: String, _ patience: StorePatience) {
    (self.database, self.patience) = (database, patience)
    queue = DispatchQueue(label: name, qos: .userInitiated)
  }

  /// Reads; once more where the connection turns out to have ended.
  func read<Value>(_ body: (any SQLDatabase) throws -> Value) throws -> Value {
    try connect()
    do {
      return try body(database)
    } catch let error as SQLError where error.code == .unavailable && database.isLost {
      try connect()
      return try body(database)
    }
  }

  /// Does a group of changes in one transaction, and answers all.
  func commit(_ group: [StoreChange]) {
    var tries = 0
    var marks = !database.isRemote
    while true {
      let done: [StoreChange.Outcome]
      do throws(StoreFailure) {
        done = try attempt(group, marks: marks)
      } catch {
        tries += 1
        if error.needsMarks, !marks {
          marks = true
          continue
        }
        if error.mayRetry, tries < Self.mostTries {
          if error.error.code == .contention { StorePatience.pause(tries) }
          if !database.isLost || (try? connect()) != nil { continue }
        }
        for change in group { change.refuse(error.error) }
        return
      }
      for outcome in done { outcome.answer() }
      return
    }
  }

  /// Connects again where the connection was lost; not more often than a server that is away deserves.
  private func connect() throws(SQLError) {
    guard database.isLost else { return }
    try patience.limited(database.path) { () throws(SQLError) in try database.reconnect() }
  }

  /// - Parameter marks: Tells whether each change follows a mark; otherwise one that has to be taken back, or whose
  ///   statement fails, has the group done again.
  private func attempt(_ group: [StoreChange], marks: Bool) throws(StoreFailure) -> [StoreChange.Outcome] {
    var done: [StoreChange.Outcome] = []
    do throws(SQLError) {
      try connect()
      try database.begin()
      for change in group {
        if marks { try database.mark() }
        let writes = database.writes
        let outcome = change.run(database)
        done.append(marks ? try end(outcome) : try checked(outcome, hasWritten: database.writes > writes))
      }
      try checkFence()
      try database.prepareCommit()
    } catch {
      database.rollback()
      throw StoreFailure(
        error: error, mayRetry: error.code == .contention || error.code == .unavailable,
        needsMarks: !Self.endsAll(error))
    }
    do throws(SQLError) { try database.commit() } catch {
      database.rollback()
      // It may be on the disk or not where the connection ended meanwhile.
      throw StoreFailure(error: error, mayRetry: error.code == .contention, needsMarks: false)
    }
    return done
  }

  /// Passes a transaction of a server that is signed in: what another one did since it was taken for dead is not undone.
  private func checkFence() throws(SQLError) {
    guard let number = fence.withLock({ $0 }) else { return }
    let sql = "SELECT 1 FROM servers WHERE number = ?"
    guard try database.row(sql, [.integer(number)], { _ in true }) == nil else { return }
    throw SQLError(.unavailable, ["file": database.path, "reason": "signed out by another server"])
  }

  /// Passes a change without a mark before it: what it wrote is right, or it wrote nothing.
  private func checked(
    _ outcome: StoreChange.Outcome, hasWritten: Bool
  ) throws(SQLError) -> StoreChange.Outcome {
    guard let failure = outcome.failure else { return outcome }
    if let error = failure as? SQLError { throw error }
    guard !hasWritten else { throw SQLError(.failed, ["file": database.path, "reason": "taken back"]) }
    return outcome
  }

  /// Ends a change within its transaction.
  private func end(_ outcome: StoreChange.Outcome) throws(SQLError) -> StoreChange.Outcome {
    guard let failure = outcome.failure else {
      do throws(SQLError) {
        try database.release()
        return outcome
      } catch {
        // A statement that was not waited for: the change did not do what it gave.
        if Self.endsAll(error) { throw error }
        try database.takeBack()
        return outcome.failing(error)
      }
    }
    if let error = failure as? SQLError, Self.endsAll(error) { throw error }
    try database.takeBack()
    return outcome
  }

  /// Tells whether an error of one change is one of the whole transaction.
  private static func endsAll(_ error: SQLError) -> Bool { error.code == .contention || error.code == .unavailable }
}

/// The reason why a transaction did not come to its end.
private struct StoreFailure: Error {
  let error: SQLError
  /// Tells whether nothing of it was kept, and it is worth being tried again.
  let mayRetry: Bool
  /// Tells whether one change of the group is wrong, and the others are not.
  let needsMarks: Bool
}

/// A change that waits, and how its asker is answered.
struct StoreChange: Sendable {
  struct Outcome {
    /// The error of the change: what it had done is to be taken back.
    let failure: (any Error)?
    /// Answers the asker once the transaction is on the disk.
    let answer: () -> Void
    let refuse: @Sendable (any Error) -> Void

    /// The same change with another end.
    func failing(_ error: any Error) -> Outcome {
      Outcome(failure: error, answer: { refuse(error) }, refuse: refuse)
    }
  }

  let run: @Sendable (any SQLDatabase) -> Outcome
  /// Answers the asker of a change of which nothing was kept.
  let refuse: @Sendable (any Error) -> Void

  init<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLDatabase) throws -> Value, _ asker: CheckedContinuation<Value, any Error>
  ) {
    let refuse: @Sendable (any Error) -> Void = { asker.resume(throwing: $0) }
    self.refuse = refuse
    run = { database in
      let result = Result { try body(database) }
      var failure: (any Error)?
      if case .failure(let error) = result { failure = error }
      return Outcome(failure: failure, answer: { asker.resume(with: result) }, refuse: refuse)
    }
  }
}
