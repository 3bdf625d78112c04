import CCompression
import MPaaSDatabase
import Synchronization

/// Compresses reports against others that they are like: those of one program differ in addresses and little else.
///
/// A report that is like none that is known becomes a base once it is stored; what is packed against it needs it to be
/// read again, so a base that is not yet durable is never used.
final class ReportPacker: Sendable {
  struct Packed: Sendable {
    /// The stored report that it was compressed against.
    let base: Int64?
    let bytes: [UInt8]
    /// Tells whether it should become a base, by `publish` once it is durable, or by `withdraw` where it is not stored.
    let isBase: Bool
    /// Keeps the base from being taken away as long as this is on its way.
    var loan: Loan?
    /// The number of the bases that had been taken away by then, of all servers.
    var edition: Int64 = 0

    /// The same report, of so many bytes, packed against none; nil where its base is not at hand.
    func alone(size: Int) -> Packed? {
      guard let content = loan?.content, let report = ReportPacker.unpack(bytes, base: content, limit: size),
        let packed = report.withUnsafeBytes({ Worker()?.pack($0, nil, level: 3) })
      else { return nil }
      return Packed(base: nil, bytes: packed, isBase: false)
    }
  }

  /// The use of a base by a report that is on its way into the store.
  final class Loan: Sendable {
    private let packer: ReportPacker
    private let base: Int64
    /// The base itself, where another server may take it away.
    fileprivate let content: [UInt8]?

    fileprivate init(_ packer: ReportPacker, _ base: Int64, _ content: [UInt8]?) {
      (self.packer, self.base, self.content) = (packer, base, content)
    }

    deinit { packer.giveBack(base) }
  }

  /// The most bytes of a base that reports are compressed against.
  static let longestBase = 256 << 10
  private static let mostBases = 24
  private let state = Mutex(State())

  private struct State {
    var bases: [Base] = []
    /// Keys of bases that are being stored.
    var pending: Set<String> = []
    var workers: [Worker] = []
    /// The number of reports on their way that need a base.
    var lent: [Int64: Int] = [:]
    /// Bases that were taken away, some perhaps before they were published.
    var retired: Set<Int64> = []
    /// The number of bases that any server took away.
    var edition: Int64 = 0
  }

  private struct Base {
    let id: Int64
    let keys: [String]
    let dictionary: Prepared
    let content: [UInt8]?
  }

  private let isShared: Bool

  /// - Parameter isShared: Tells whether other servers may take bases away: then these are kept, to pack otherwise what was
  ///   packed against one of them.
  init(isShared: Bool = false) { self.isShared = isShared }

  /// Forgets all bases where any server took one away since they were published.
  ///
  /// - Returns: The number of bases that were taken away, as the transaction sees it; 0 where there is one server.
  @discardableResult
  func follow(in database: any SQLDatabase) throws(SQLError) -> Int64 {
    guard isShared else { return 0 }
    let edition = try SharedEdition.bases.number(in: database)
    state.withLock { state in
      guard state.edition != edition else { return }
      state.edition = edition
      state.bases = []
    }
    return edition
  }

  /// - Parameter keys: What says that reports are alike, the most telling first.
  func pack(_ bytes: UnsafeRawBufferPointer, keys: [String]) -> Packed? {
    let (candidates, taken, edition) = state.withLock { state in
      let candidates = Self.candidates(state.bases, keys)
      for base in candidates { state.lent[base.id, default: 0] += 1 }
      return (candidates, state.workers.popLast(), state.edition)
    }
    let loans = candidates.map { ($0.id, Loan(self, $0.id, $0.content)) }
    func loan(_ id: Int64) -> Loan? { loans.first { $0.0 == id }?.1 }
    guard let worker = taken ?? Worker() else { return nil }
    defer { state.withLock { $0.workers.append(worker) } }
    // A report that is packed to a sixteenth of its size is like the base.
    let enough = max(1024, bytes.count / 16)
    var best: Packed?
    if bytes.count <= 4 << 20 {
      for base in candidates {
        guard let packed = worker.pack(bytes, base.dictionary, level: 1) else { continue }
        if packed.count < best?.bytes.count ?? .max {
          best = Packed(base: base.id, bytes: packed, isBase: false, loan: loan(base.id), edition: edition)
        }
        if packed.count <= enough { return best }
      }
    }
    let isOwn = candidates.contains { $0.keys.first == keys.first }
    let isStranger = !isOwn || best.map { $0.bytes.count > bytes.count / 8 } ?? true
    let isBase = isStranger && bytes.count >= 2048 && bytes.count <= 1 << 20 && begin(keys)
    guard let alone = worker.pack(bytes, nil, level: 3) else {
      if isBase { withdraw(keys) }
      return best
    }
    if !isBase, let best, best.bytes.count <= alone.count { return best }
    return Packed(base: nil, bytes: alone, isBase: isBase)
  }

  /// Makes a stored report a base.
  ///
  /// - Parameter edition: The number of bases that had been taken away when it was stored.
  func publish(_ id: Int64, keys: [String], content: UnsafeRawBufferPointer, edition: Int64 = 0) {
    let begin = UnsafeRawBufferPointer(rebasing: content.prefix(Self.longestBase))
    let dictionary = Prepared(begin)
    state.withLock { state in
      if let key = keys.first { state.pending.remove(key) }
      guard let dictionary, !state.retired.contains(id), state.edition == edition else { return }
      let kept = isShared ? Array(begin) : nil
      state.bases.append(Base(id: id, keys: keys, dictionary: dictionary, content: kept))
      if state.bases.count > Self.mostBases { state.bases.removeFirst() }
    }
  }

  /// Says that what should have become a base was not stored.
  func withdraw(_ keys: [String]) {
    guard let key = keys.first else { return }
    _ = state.withLock { $0.pending.remove(key) }
  }

  /// Has no more reports packed against a base, which is to be taken away.
  func retire(_ id: Int64) {
    state.withLock { state in
      state.bases.removeAll { $0.id == id }
      state.retired.insert(id)
    }
  }

  /// Tells whether reports on their way need a base.
  func isLent(_ id: Int64) -> Bool { state.withLock { $0.lent[id] != nil } }

  private func giveBack(_ id: Int64) {
    state.withLock { state in
      let left = (state.lent[id] ?? 0) - 1
      state.lent[id] = left > 0 ? left : nil
    }
  }

  /// Restores a packed report.
  ///
  /// - Parameter base: The content of the report that it was compressed against.
  static func unpack(_ bytes: [UInt8], base: [UInt8]?, limit: Int) -> [UInt8]? {
    let content = base.map { $0.prefix(longestBase) } ?? []
    var output: UnsafeMutablePointer<UInt8>?
    var size = 0
    let outcome = bytes.withUnsafeBufferPointer { input in
      content.withUnsafeBufferPointer { content -> mpaas_outcome in
        guard let start = input.baseAddress else { return MPAAS_DAMAGED }
        return mpaas_unpack(content.baseAddress, content.count, start, input.count, limit, &output, &size)
      }
    }
    guard outcome == MPAAS_DECOMPRESSED, let output else { return nil }
    defer { mpaas_release(output) }
    return Array(UnsafeBufferPointer(start: output, count: size))
  }

  /// One report of a kind is enough, as long as it is on its way.
  private func begin(_ keys: [String]) -> Bool {
    guard let key = keys.first else { return false }
    return state.withLock { $0.pending.insert(key).inserted }
  }

  /// The newest base of each key, at most three.
  private static func candidates(_ bases: [Base], _ keys: [String]) -> [Base] {
    var found: [Base] = []
    for key in keys {
      if let base = bases.last(where: { $0.keys.contains(key) }), !found.contains(where: { $0.id == base.id }) {
        found.append(base)
      }
      if found.count == 3 { break }
    }
    return found
  }

  /// A dictionary; it is never changed once it is made, which is why threads may share it.
  private final class Prepared: @unchecked Sendable {
    let pointer: OpaquePointer

    init?(_ content: UnsafeRawBufferPointer) {
      let bytes = content.bindMemory(to: UInt8.self)
      guard let start = bytes.baseAddress, let made = mpaas_dictionary_make(start, bytes.count, 1) else { return nil }
      pointer = made
    }

    deinit { mpaas_dictionary_free(pointer) }
  }

  /// The memory that one thread compresses in: out of the list of the idle ones as long as it is used.
  private final class Worker: @unchecked Sendable {
    private let pointer: OpaquePointer

    init?() {
      guard let made = mpaas_packer_make() else { return nil }
      pointer = made
    }

    deinit { mpaas_packer_free(pointer) }

    func pack(_ bytes: UnsafeRawBufferPointer, _ dictionary: Prepared?, level: Int32) -> [UInt8]? {
      let input = bytes.bindMemory(to: UInt8.self)
      guard let start = input.baseAddress else { return nil }
      return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: mpaas_pack_bound(input.count)) {
        room -> [UInt8]? in
        guard let output = room.baseAddress else { return nil }
        let count = mpaas_pack(pointer, dictionary?.pointer, level, start, input.count, output, room.count)
        return count > 0 ? Array(UnsafeBufferPointer(rebasing: room[..<count])) : nil
      }
    }
  }
}
