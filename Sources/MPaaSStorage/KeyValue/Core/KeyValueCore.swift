import MPaaSSupport
import MPaaSTime

/// The state of an open store: its file, and all keys in memory.
///
/// `@unchecked Sendable`: it is used under the store's lock alone, so that one thread at a time has it, and no access to
/// a member overlaps another. A check of each access would cost a tenth of a call.
final class KeyValueCore: @unchecked Sendable {
  let path: String
  @exclusivity(unchecked) var options: KeyValueOptions
  let folder: KeyValueFolder
  let isReadOnly: Bool

  var file: any KeyValueFile { didSet { live = file.live } }
  /// The file's live words, which each call looks at.
  @exclusivity(unchecked) private(set) var live: LiveWords
  @exclusivity(unchecked) var header: KeyValueHeader
  @exclusivity(unchecked) var format: RecordFormat
  @exclusivity(unchecked) var index = KeyIndex()
  /// The place of the next record.
  @exclusivity(unchecked) var end = UInt64(KeyValueHeader.size)
  @exclusivity(unchecked) var lastSequence: UInt64 = 0
  /// Sequences that are this store's to encrypt with; none is ever given away twice.
  @exclusivity(unchecked) var ownSequences: Range<UInt64> = 0..<0
  @exclusivity(unchecked) var window: FileWindow?
  /// Records that are written next, and how many bytes they are.
  @exclusivity(unchecked) var pending = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 12, alignment: 16)
  @exclusivity(unchecked) var pendingCount = 0
  @exclusivity(unchecked) var isBatching = false
  /// True once another program was found to have cut the file off; then it is written anew.
  @exclusivity(unchecked) var isCut = false
  @exclusivity(unchecked) var report = KeyValueReport()
  @exclusivity(unchecked) var watchers = ChangeWatchers()
  /// The log's size below which compaction is not tried.
  @exclusivity(unchecked) var compactionFloor: UInt64 = 4 << 20
  let isExclusive: Bool

  init(_ path: String, _ options: KeyValueOptions, _ folder: KeyValueFolder, isReadOnly: Bool) throws(StorageError) {
    (self.path, self.options, self.folder, self.isReadOnly) = (path, options, folder, isReadOnly)
    isExclusive = options.sharing == .exclusive && !isReadOnly
    (file, header) = try Self.attach(path, options, folder, isReadOnly)
    live = file.live
    format = RecordFormat(header, cipher: options.key.map { [header] in RecordCipher($0, header) })
    do throws(StorageError) { try load() } catch {
      if !isReadOnly { file.unlock() }
      throw error
    }
    if !isExclusive, !isReadOnly { file.unlock() }
    isOpen = true
  }

  /// True once the file was read as a whole.
  private var isOpen = false

  deinit {
    if window != nil, let size = try? file.size(), size > end {
      // The room beyond the last record is given back.
      window = nil
      try? file.resize(to: end)
    }
    if isExclusive, isOpen { live.set(end: Int(end), isWriting: false) }
    pending.deallocate()
    watchers.finish()
  }

  /// Reads all records anew, and leaves a file that can be written behind; its lock is held.
  func load() throws(StorageError) {
    index.removeAll()
    (end, lastSequence, window, ownSequences) = (UInt64(KeyValueHeader.size), 0, nil, 0..<0)
    report = KeyValueReport()
    report.isHeaderRepaired = header.isRepaired
    try readOn(resynchronises: true)
    if header.isRepaired, !isReadOnly { try compact(key: options.key) }
  }

  /// Takes over the records that others wrote.
  ///
  /// - Parameter resynchronises: Whether bytes that are no record are passed over, and cut off at the end: never while
  ///   another may be writing.
  func readOn(resynchronises: Bool) throws(StorageError) {
    let liveEnd = live.state.end
    let size = try storage { () throws(FileError) in try file.size() }
    var scan = RecordScan(format, from: end, resynchronises: resynchronises, read: file.read)
    scan.run(to: size) { fields, offset, size in takeOver(fields, offset, size) }
    end = scan.end
    report.damages += scan.gaps
    report.damagedBytes += scan.lostBytes
    report.keys = index.count
    seenEnd = isReadOnly || !resynchronises ? liveEnd : Int(end)
    guard resynchronises else { return }
    report.tornBytes = size - min(size, end)
    guard !isReadOnly else { return }
    if size > end { try storage { () throws(FileError) in try file.resize(to: end) } }
    live.set(end: toldEnd, isWriting: false)
  }

  /// The end as others are told it: a store that has the file alone would need a call of the system for each change.
  var toldEnd: Int { isExclusive ? LiveWords.untold : Int(end) }

  /// The end of the log in the file's live words when it was last followed.
  @exclusivity(unchecked) var seenEnd = 0

  private func takeOver(_ fields: RecordFields, _ offset: UInt64, _ size: Int) {
    index.take(fields, index.name(fields.business, fields.key), offset: offset, size: size)
    lastSequence = max(lastSequence, fields.sequence)
    if !watchers.isEmpty { watchers.tell(fields) }
    report.records += 1
  }

  /// Calls the file system, and tells its errors as the storage's.
  @inline(__always)
  func storage<Result>(_ body: () throws(FileError) -> Result) throws(StorageError) -> Result {
    do throws(FileError) { return try body() } catch { throw StorageError(error) }
  }
}
