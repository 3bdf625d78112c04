package import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// One file in an archive while it is visited; what is not asked for is not read.
package final class ArchiveEntry {
  /// The path inside the archive; of a file in an inner archive `inner.zip/path`.
  package let path: String
  /// Bytes, where the archive tells them before the content.
  package let size: UInt64?
  /// Seconds since 1970.
  package let modified: Int64
  private let source: ArchiveStream
  private let budget: ArchiveBudget
  private var memory = GrowingMemory()
  private var isAtEnd = false

  init(path: String, _ member: ArchiveMember, source: ArchiveStream, budget: ArchiveBudget) {
    self.path = path
    size = member.size
    modified = member.modified
    self.source = source
    self.budget = budget
  }

  /// The first bytes, fewer where the file is shorter.
  package func head(_ count: Int) throws(ArchiveError) -> Bytes {
    try read(upTo: count)
    return Bytes(UnsafeRawBufferPointer(rebasing: memory.content.prefix(count)))
  }

  /// The whole content, read into memory.
  ///
  /// - Throws: `ArchiveError`: damaged, or larger than the limits allow.
  package func body() throws(ArchiveError) -> Bytes {
    if let size, size > UInt64(budget.member) { throw ArchiveError(.tooLarge, String(budget.member)) }
    try read(upTo: .max)
    return Bytes(owner: memory, buffer: memory.content)
  }

  private func read(upTo count: Int) throws(ArchiveError) {
    while !isAtEnd, memory.count < count {
      guard memory.count < budget.member else { throw ArchiveError(.tooLarge, String(budget.member)) }
      let room = memory.room(atLeast: min(count - memory.count, 1 << 16))
      guard room.baseAddress != nil else { throw ArchiveError(.tooLarge, String(memory.count)) }
      let step = min(room.count, max(count - memory.count, 1), 1 << 20)
      let taken = try source.read(into: UnsafeMutableRawBufferPointer(rebasing: room[..<step]))
      isAtEnd = taken == 0
      memory.count += taken
      try budget.take(taken)
    }
  }
}

/// The bytes that may still come out of an archive.
final class ArchiveBudget {
  let member: Int
  private var bytes: Int
  private var members: Int

  init(bytes: Int, member: Int, members: Int) {
    self.bytes = bytes
    self.member = member
    self.members = members
  }

  func take(_ count: Int) throws(ArchiveError) {
    bytes -= count
    if bytes < 0 { throw ArchiveError(.tooLarge) }
  }

  func takeMember() throws(ArchiveError) {
    members -= 1
    if members < 0 { throw ArchiveError(.tooLarge) }
  }
}

/// Memory that grows only with what really comes in.
private final class GrowingMemory {
  private var start: UnsafeMutableRawPointer?
  private var capacity = 0
  var count = 0

  var content: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }

  /// The room behind the content; nil address where the system has no memory.
  func room(atLeast wanted: Int) -> UnsafeMutableRawBufferPointer {
    if capacity - count < wanted {
      let next = max(capacity + capacity / 2, count + wanted, 4096)
      guard let grown = realloc(start, next) else { return UnsafeMutableRawBufferPointer(start: nil, count: 0) }
      start = grown
      capacity = next
    }
    return UnsafeMutableRawBufferPointer(start: start.map { $0 + count }, count: capacity - count)
  }

  deinit {
    free(start)
  }
}
