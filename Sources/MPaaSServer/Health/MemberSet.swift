/// The devices or users of a day: each of them up to 1,000, an estimate beyond.
package struct MemberSet: Sendable, Equatable {
  fileprivate enum Kept: Sendable, Equatable {
    /// In ascending order.
    case exact([UInt64])
    case estimated(HyperLogLog)
  }

  /// The most members that a stored set names.
  package static let most = 1_000

  fileprivate var form = Kept.exact([])

  package init() {}

  /// Reads what `bytes` gave; what is no such form has no members.
  package init(_ bytes: [UInt8]) {
    if let estimated = HyperLogLog(bytes) {
      form = .estimated(estimated)
    } else if bytes.count.isMultiple(of: 8), bytes.count <= Self.most * 8 {
      form = .exact(
        bytes.withUnsafeBytes { bytes in
          (0..<bytes.count / 8).map { UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8 * $0, as: UInt64.self)) }
        })
    }
  }

  /// The form for a row: eight bytes for each member, or those of the estimate, which are more than 1,000 members have.
  package var bytes: [UInt8] {
    switch form {
    case .exact(let members):
      members.reduce(into: []) { bytes, member in
        withUnsafeBytes(of: member.bigEndian) { bytes.append(contentsOf: $0) }
      }
    case .estimated(let estimated): estimated.bytes
    }
  }

  package var isExact: Bool { if case .exact = form { true } else { false } }

  /// The number of members.
  package var count: Int64 {
    switch form {
    case .exact(let members): Int64(members.count)
    case .estimated(let estimated): estimated.estimate
    }
  }

  /// Adds a member; says whether that changed anything.
  @discardableResult
  package mutating func insert(_ member: UInt64) -> Bool {
    switch form {
    case .estimated(var estimated):
      form = .exact([])
      let isNew = estimated.insert(member)
      form = .estimated(estimated)
      return isNew
    case .exact(var members):
      let place = members.firstPlace { $0 >= member }
      if place < members.count, members[place] == member { return false }
      form = .exact([])
      members.insert(member, at: place)
      form = members.count > Self.most ? .estimated(Self.estimate(members)) : .exact(members)
      return true
    }
  }

  /// Takes a member out of a set that names it, which estimates do not; says whether it did.
  mutating func remove(_ member: UInt64) -> Bool {
    guard case .exact(var members) = form else { return false }
    let place = members.firstPlace { $0 >= member }
    guard place < members.count, members[place] == member else { return false }
    members.remove(at: place)
    form = .exact(members)
    return true
  }

  private static func estimate(_ members: [UInt64]) -> HyperLogLog {
    var estimated = HyperLogLog()
    for member in members { estimated.insert(member) }
    return estimated
  }
}

/// The members of several sets, each counted once: exactly where each set is exact.
package struct MemberUnion: Sendable {
  private var exact: [UInt64] = []
  private var estimated: HyperLogLog?

  package init() {}

  package mutating func add(_ set: MemberSet) {
    switch set.form {
    case .exact(let members): exact += members
    case .estimated(let more):
      if estimated == nil { estimated = more } else { estimated?.formUnion(more) }
    }
  }

  package var isExact: Bool { estimated == nil }

  package var count: Int64 {
    if var estimated {
      for member in exact { estimated.insert(member) }
      return estimated.estimate
    }
    let sorted = exact.sorted()
    return Int64(sorted.indices.count { $0 == 0 || sorted[$0] != sorted[$0 - 1] })
  }
}

extension [UInt64] {
  /// The first place from which on `isBehind` holds, of numbers in order.
  fileprivate func firstPlace(_ isBehind: (UInt64) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = low + (high - low) / 2
      if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
