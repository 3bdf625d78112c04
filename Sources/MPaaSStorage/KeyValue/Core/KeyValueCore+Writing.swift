import MPaaSSupport
import MPaaSTime

extension KeyValueCore {
  /// Bytes by which a file that is this store's alone grows.
  private static let windowSize = 1 << 18
  /// Sequences that are given away at once.
  private static let sequenceRange: UInt64 = 1 << 20

  /// Takes the lock where others may write, and follows what they wrote.
  func beginWriting() throws(StorageError) {
    guard !isReadOnly else { throw StorageError(.readOnly, ["path": path]) }
    if isExclusive { return }
    let isLocked = try storage { () throws(FileError) in
      try file.lock(until: MonotonicInstant.now + options.lockDeadline)
    }
    guard isLocked else { throw StorageError(.busy, ["path": path], at: .file(path)) }
    do throws(StorageError) {
      let state = live.state
      if state.isReplaced {
        try reattach()
      } else if state.isWriting || state.end != seenEnd {
        // A writer that was killed has left what is cut off, or records that it did not tell of.
        try readOn(resynchronises: true)
      }
    } catch {
      file.unlock()
      throw error
    }
    live.beginWriting()
  }

  /// Tells others where the log ends, and gives the lock back.
  @inline(__always)
  func endWriting() {
    live.set(end: Int(end), isWriting: false)
    seenEnd = Int(end)
    if isExclusive { return }
    file.unlock()
  }

  /// Goes over to the file that has taken the place of this one; the lock of the old one is held, then that of the new.
  private func reattach() throws(StorageError) {
    let (newFile, newHeader) = try Self.attach(path, options, folder, isReadOnly)
    file.unlock()
    (file, header) = (newFile, newHeader)
    format = RecordFormat(header, cipher: options.key.map { RecordCipher($0, header) })
    try load()
  }

  /// Follows what other processes wrote, before something is read.
  @inline(__always)
  func follow() throws(StorageError) {
    if isExclusive { return }
    let state = live.state
    if state.end != seenEnd || state.isReplaced { try followNow(state) }
  }

  private func followNow(_ state: LiveWords.State) throws(StorageError) {
    guard state.isReplaced else { return try readOn(resynchronises: false) }
    guard isReadOnly else {
      try beginWriting()
      return endWriting()
    }
    (file, header) = try Self.attach(path, options, folder, isReadOnly)
    format = RecordFormat(header, cipher: options.key.map { RecordCipher($0, header) })
    try load()
  }

  /// Writes a record, and has the index know it; the lock is held.
  func put(
    _ flags: RecordFlags, expiry: Int64, _ name: EntryName, _ value: UnsafeRawBufferPointer
  ) throws(StorageError) {
    guard value.count <= RecordFormat.longestValue,
      name.business.count + name.key.count <= RecordFormat.longestName
    else { throw StorageError(.tooLong, ["size": "\(value.count)"]) }
    let fields = RecordFields(
      flags: flags, sequence: try nextSequence(), expiry: expiry, business: name.business, key: name.key, value: value)
    let rest = format.rest(fields), size = RecordFormat.size(rest: rest)
    guard format.write(fields, rest: rest, to: try memory(size), at: end) else { throw StorageError(.cipherFailed) }
    pendingCount &+= isInWindow ? 0 : size
    if pendingCount > 0, !isBatching { try flush() }
    index.take(fields, name, offset: end, size: size)
    lastSequence = max(lastSequence, fields.sequence)
    end &+= UInt64(size)
    if !watchers.isEmpty { watchers.tell(fields) }
  }

  /// Memory of the file where it is this store's alone; else, and for a record of many bytes, memory that is written.
  @inline(__always)
  private func memory(_ size: Int) throws(StorageError) -> UnsafeMutableRawPointer {
    if pendingCount == 0, let memory = window?.memory(at: end, size) {
      isInWindow = true
      return memory
    }
    return try otherMemory(size)
  }

  private func otherMemory(_ size: Int) throws(StorageError) -> UnsafeMutableRawPointer {
    isInWindow = false
    if isExclusive, options.durability == .process, pendingCount == 0, size <= Self.windowSize / 4 {
      window = file.window(at: end, size: Self.windowSize)
      if let memory = window?.memory(at: end, size) {
        isInWindow = true
        return memory
      }
    }
    return pendingMemory(size)
  }

  /// Memory behind what a batch has written so far.
  private func pendingMemory(_ size: Int) -> UnsafeMutableRawPointer {
    if pending.count < pendingCount + size {
      let larger = UnsafeMutableRawBufferPointer.allocate(
        byteCount: max(pendingCount + size, 2 * pending.count), alignment: 16)
      larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: pending[..<pendingCount]))
      pending.deallocate()
      pending = larger
    }
    // A buffer of at least a page has a start.
    guard let start = pending.baseAddress else { preconditionFailure("no memory") }
    return start + pendingCount
  }

  /// Writes the records that wait in memory to the file: they end where the next one comes.
  private func flush() throws(StorageError) {
    let bytes = UnsafeRawBufferPointer(rebasing: pending[..<pendingCount])
    defer { pendingCount = 0 }
    let start = isBatching ? end - UInt64(pendingCount) : end
    try storage { () throws(FileError) in try file.write(bytes, at: start) }
  }

  /// Writes all records of `body` at once; where that fails, the file is read anew and none of them counts.
  func batch(_ body: () throws(StorageError) -> Void) throws(StorageError) {
    isBatching = true
    defer { isBatching = false }
    do throws(StorageError) {
      try body()
      if pendingCount > 0 { try flush() }
    } catch {
      pendingCount = 0
      try load()
      throw error
    }
  }

  @inline(__always)
  private func nextSequence() throws(StorageError) -> UInt64 {
    guard header.isEncrypted else { return lastSequence &+ 1 }
    if ownSequences.isEmpty { try reserve() }
    defer { ownSequences = ownSequences.lowerBound + 1..<ownSequences.upperBound }
    return ownSequences.lowerBound
  }

  /// Takes sequences that no one else has or had, and has that on the disk before the first is used: what is encrypted
  /// after a crash never has the nonce of something that was lost in it.
  private func reserve() throws(StorageError) {
    var page = [UInt8](repeating: 0, count: KeyValueHeader.size)
    _ = page.withUnsafeMutableBytes { file.read($0, at: 0) }
    if let newest = page.withUnsafeBytes({ KeyValueHeader(page: $0) }), newest.id == header.id { header = newest }
    let start = max(header.reserved, lastSequence) + 1
    header.reserved = start + Self.sequenceRange
    try storage { () throws(FileError) in
      try header.update(file)
      try file.sync()
    }
    ownSequences = start..<header.reserved
  }
}
