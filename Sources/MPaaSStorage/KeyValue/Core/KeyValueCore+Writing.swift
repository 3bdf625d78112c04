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
      } else if state.isWriting || state.end != seenEnd || state.end == LiveWords.untold {
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
    if isExclusive { return }
    live.set(end: Int(end), isWriting: false)
    seenEnd = Int(end)
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
    if state.end != seenEnd || state.end == LiveWords.untold || state.isReplaced { try followNow(state) }
  }

  private func followNow(_ state: LiveWords.State) throws(StorageError) {
    guard state.isReplaced else {
      if state.end != LiveWords.untold || hasMore { try readOn(resynchronises: false) }
      return
    }
    guard isReadOnly else {
      try beginWriting()
      return endWriting()
    }
    (file, header) = try Self.attach(path, options, folder, isReadOnly)
    format = RecordFormat(header, cipher: options.key.map { RecordCipher($0, header) })
    try load()
  }

  /// Tells whether a record follows those that were read.
  private var hasMore: Bool {
    var marker: UInt32 = 0
    let count = withUnsafeMutableBytes(of: &marker) { file.read($0, at: end) }
    return count == MemoryLayout<UInt32>.size && UInt32(littleEndian: marker) == format.marker
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
    guard format.write(fields, rest: rest, to: pendingMemory(size), at: end) else { throw StorageError(.cipherFailed) }
    pendingCount &+= size
    if !isBatching { try flush() }
    index.take(fields, name, offset: end, size: size)
    lastSequence = max(lastSequence, fields.sequence)
    end &+= UInt64(size)
    if !watchers.isEmpty { watchers.tell(fields) }
  }

  /// Memory behind what a batch has written so far.
  @inline(__always)
  private func pendingMemory(_ size: Int) -> UnsafeMutableRawPointer {
    if pending.count < pendingCount + size { growPending(pendingCount + size) }
    // A buffer of at least a page has a start.
    guard let start = pending.baseAddress else { preconditionFailure("no memory") }
    return start + pendingCount
  }

  private func growPending(_ size: Int) {
    let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: max(size, 2 * pending.count), alignment: 16)
    larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: pending[..<pendingCount]))
    pending.deallocate()
    pending = larger
  }

  /// Writes the records that wait in memory to the file: they end where the next one comes.
  private func flush() throws(StorageError) {
    let bytes = UnsafeRawBufferPointer(rebasing: pending[..<pendingCount])
    defer { pendingCount = 0 }
    let start = isBatching ? end - UInt64(pendingCount) : end
    if isExclusive, writeToWindow(bytes, at: start) { return }
    try storage { () throws(FileError) in try file.write(bytes, at: start) }
  }

  /// Writes to memory of the file, which a store has that is its only one; many bytes are written by a call.
  @inline(__always)
  private func writeToWindow(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) -> Bool {
    guard let window else { return writeToNewWindow(bytes, at: offset) }
    switch window.write(bytes, at: offset) {
    case .written: return true
    case .outside: return writeToNewWindow(bytes, at: offset)
    case .cut:
      (self.window, isCut) = (nil, true)
      return false
    }
  }

  private func writeToNewWindow(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) -> Bool {
    guard options.durability == .process, !isCut, bytes.count <= Self.windowSize / 4 else { return false }
    window = file.window(at: offset, size: Self.windowSize)
    return window?.write(bytes, at: offset) == .written
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
