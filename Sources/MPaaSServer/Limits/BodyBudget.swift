import Synchronization

/// The number of bytes of bodies that the server may hold at once: in all, and of each address and each key.
package final class BodyBudget: Sendable {
  private struct State {
    var all: Int64 = 0
    var each: [String: Int64] = [:]
  }

  private let most: Int64
  private let mostEach: Int64
  private let state = Mutex(State())

  /// - Parameters:
  ///   - most: Bytes in all.
  ///   - each: Bytes of one address or one key.
  package init(most: Int64, each: Int64) {
    self.most = most
    mostEach = min(each, most)
  }

  /// Bytes that are held now.
  package var held: Int64 { state.withLock { $0.all } }

  /// Takes bytes for all of `names`; says whether there was room, and takes none where there was not.
  func take(_ count: Int64, _ names: [String], isNew: Bool = true) -> Bool {
    state.withLock { state in
      guard !isNew || state.all + count <= most, names.allSatisfy({ (state.each[$0] ?? 0) + count <= mostEach }) else {
        return false
      }
      if isNew { state.all += count }
      for name in names { state.each[name, default: 0] += count }
      return true
    }
  }

  func give(_ count: Int64, _ names: [String]) {
    state.withLock { state in
      state.all -= count
      for name in names {
        let left = (state.each[name] ?? 0) - count
        state.each[name] = left > 0 ? left : nil
      }
    }
  }
}

/// The bytes of a budget that one request holds; they go back when it ends.
package final class BodyHold: Sendable {
  private struct State {
    var count: Int64 = 0
    var names: [String]
  }

  private let budget: BodyBudget
  private let state: Mutex<State>

  /// - Parameter address: Of who sends.
  package init(_ budget: BodyBudget, address: String) {
    self.budget = budget
    state = Mutex(State(names: ["address " + address]))
  }

  deinit { release() }

  /// Counts what is held, and what comes, against a key too.
  ///
  /// - Throws: `Refusal` `server-crowded`.
  package func join(_ key: String) throws {
    let isTaken = state.withLock { state in
      let name = "key " + key
      guard !state.names.contains(name) else { return true }
      guard budget.take(state.count, [name], isNew: false) else { return false }
      state.names.append(name)
      return true
    }
    guard isTaken else { throw Refusal(.crowded) }
  }

  /// Takes more bytes.
  ///
  /// - Throws: `Refusal` `server-crowded`.
  package func take(_ count: Int) throws {
    let isTaken = state.withLock { state in
      guard budget.take(Int64(count), state.names) else { return false }
      state.count += Int64(count)
      return true
    }
    guard isTaken else { throw Refusal(.crowded) }
  }

  /// Gives all bytes back.
  package func release() {
    state.withLock { state in
      budget.give(state.count, state.names)
      state.count = 0
    }
  }
}
