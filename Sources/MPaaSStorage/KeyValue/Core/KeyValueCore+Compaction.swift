import MPaaSSupport
import MPaaSTime

extension KeyValueCore {
  /// Compacts where most of the log is replaced or removed, or was cut off; a failure leaves the file as it is.
  func compactIfWorthIt() {
    let size = end - UInt64(KeyValueHeader.size)
    guard isCut || (size > compactionFloor && size / 3 > index.liveBytes) else { return }
    do throws(StorageError) { try compact(key: options.key) } catch { compactionFloor = size * 2 }
  }

  /// Writes what is not replaced, removed or expired into a new file, which takes the place of this one; the lock is
  /// held.
  func compact(key: StorageKey?) throws(StorageError) {
    let new: NewKeyValueFile
    do throws(FileError) { new = try folder.make(path) } catch { throw StorageError(error) }
    var copy = CompactedLog(new.file, .fresh(for: key), key)
    copy.header.generation = header.generation &+ 1
    copy.header.reserved = max(header.reserved, lastSequence)
    do throws(StorageError) {
      let now = options.now()
      try index.forEach { entry throws(StorageError) in
        guard entry.pointee.expiry == 0 || entry.pointee.expiry > now else { return copy.skip() }
        let isThere: Void? = try withValue(of: entry) { value throws(StorageError) in try copy.add(entry, value) }
        // A value that was damaged on the disk since it was written is lost.
        if isThere == nil { copy.skip() }
      }
      try copy.finish()
      try storage { () throws(FileError) in
        // A process that finds the new file waits until this store is done with it.
        guard try new.file.lock(until: .now) else { throw FileError(.create, path, .resourceTemporarilyUnavailable) }
        try new.place()
      }
    } catch {
      new.discard()
      throw error
    }
    goOver(to: copy)
    options.key = key
  }

  private func goOver(to copy: CompactedLog) {
    live.setReplaced(true)
    file.unlock()
    (file, header, format, end, window) = (copy.file, copy.header, copy.format, copy.end, nil)
    (ownSequences, isCut) = (0..<0, false)
    var entries: [KeyIndex.Entry] = []
    index.forEach { entries.append($0) }
    for (entry, (offset, size)) in zip(entries, copy.places) {
      if size == 0 {
        index.remove(index.name(entry.business, entry.key))
      } else {
        index.move(entry, offset, size)
      }
    }
    seenEnd = Int(end)
    live.set(end: toldEnd, isWriting: !isExclusive)
  }

  /// Hands over the value of an entry, from memory or from the file.
  func withValue<Result, Failure: Error>(
    of entry: KeyIndex.Entry, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    if let value = entry.value { return try body(value) }
    let size = Int(UInt32(bitPattern: entry.pointee.recordSize)), offset = entry.pointee.offset
    let record = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
    defer { record.deallocate() }
    guard file.read(record, at: offset) == size,
      case .whole(size) = format.find(UnsafeRawBufferPointer(record), at: offset)
    else { return nil }
    var failure: Failure?
    let result = format.read(UnsafeRawBufferPointer(record), at: offset) { fields -> Result? in
      do throws(Failure) { return try body(fields.value) } catch { failure = error }
      return nil
    }
    if let failure { throw failure }
    return result ?? nil
  }
}

/// The log of a new file while it is written.
struct CompactedLog {
  let file: any KeyValueFile
  var header: KeyValueHeader
  let format: RecordFormat
  private(set) var end = UInt64(KeyValueHeader.size)
  /// The place and size of each entry's record in their order; of size 0 where it is left out.
  private(set) var places: [(offset: UInt64, size: Int)] = []
  private var buffer: [UInt8] = []
  private var bufferStart = UInt64(KeyValueHeader.size)

  init(_ file: any KeyValueFile, _ header: KeyValueHeader, _ key: StorageKey?) {
    (self.file, self.header) = (file, header)
    format = RecordFormat(header, cipher: key.map { RecordCipher($0, header) })
  }

  mutating func skip() { places.append((0, 0)) }

  mutating func add(_ entry: KeyIndex.Entry, _ value: UnsafeRawBufferPointer) throws(StorageError) {
    let fields = RecordFields(
      flags: entry.pointee.flags, sequence: entry.pointee.sequence, expiry: entry.pointee.expiry,
      business: entry.business, key: entry.key, value: value)
    let rest = format.rest(fields), size = RecordFormat.size(rest: rest)
    let start = buffer.count
    buffer.append(contentsOf: repeatElement(0, count: size))
    let isWritten = buffer.withUnsafeMutableBytes { bytes in
      bytes.baseAddress.map { format.write(fields, rest: rest, to: $0 + start, at: end) } ?? false
    }
    guard isWritten else { throw StorageError(.cipherFailed) }
    places.append((end, size))
    end += UInt64(size)
    if buffer.count > 1 << 18 { try flush() }
  }

  private mutating func flush() throws(StorageError) {
    do throws(FileError) {
      try buffer.withUnsafeBytes { bytes in
        Result { () throws(FileError) in try file.write(bytes, at: bufferStart) }
      }.get()
    } catch { throw StorageError(error) }
    bufferStart = end
    buffer.removeAll(keepingCapacity: true)
  }

  /// Writes what is left, and the header, and has all on the disk.
  mutating func finish() throws(StorageError) {
    try flush()
    header.safeEnd = end
    do throws(FileError) {
      try header.write(to: file)
      try file.sync()
    } catch { throw StorageError(error) }
  }
}
