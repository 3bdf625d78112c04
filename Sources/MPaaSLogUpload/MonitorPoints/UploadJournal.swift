import CLogRing
package import MPaaSLogs
package import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A batch of records on its way to the server: its name, and where its records stand.
package struct UploadBatch: Sendable, Hashable {
  /// Made once, so that the server knows the batch when it comes again.
  package var id: String
  package var type: LogType
  package var slices: [MonitorSlice]

  package init(id: String, type: LogType, slices: [MonitorSlice]) {
    self.id = id
    self.type = type
    self.slices = slices
  }
}

/// The batches on their way, and those that have arrived, in a file that is appended to and settled before each step:
/// after the end of the process, or of the power, a batch goes on under the name that it had.
///
/// A line is `CRC-32C JSON`. One uploader has the journal at a time, by a lock on it.
package final class UploadJournal {
  /// The batches that have been made and are not yet marked in their files, and whether the server has them.
  package private(set) var open: [(batch: UploadBatch, isAcknowledged: Bool)] = []
  private let file: MonitorFile
  private let path: String
  private let lock: LockFile

  /// Opens the journal of a folder of monitor points.
  ///
  /// - Returns: nil where another process has it.
  /// - Throws: `FileError` where it cannot be made.
  package init?(_ folder: String) throws(FileError) {
    path = folder + "/uploads.journal"
    file = try MonitorFile(appending: path)
    lock = try LockFile(folder + "/uploads.lock")
    guard lock.take() == .taken else { return nil }
    for line in file.read(at: 0, size: file.size).split(separator: 0x0a) { take(line) }
  }

  /// Notes batches before they are sent; with `instead` they take the place of one that was too large.
  package func add(_ batches: [UploadBatch], insteadOf old: String? = nil) throws(FileError) {
    try append(["made": .array(batches.map(Self.json)), "instead": old.map { .string($0) } ?? .null])
    open.removeAll { $0.batch.id == old }
    open += batches.map { ($0, false) }
  }

  /// Notes that the server has stored a batch.
  package func acknowledge(_ id: String) throws(FileError) {
    try append(["acknowledged": .string(id)])
    for index in open.indices where open[index].batch.id == id { open[index].isAcknowledged = true }
  }

  /// Notes that a batch's records are marked in their files; the journal of nothing is empty.
  package func finish(_ id: String) throws(FileError) {
    let rest = open.filter { $0.batch.id != id }
    if rest.isEmpty {
      // Batches from now on begin a journal of their own; those before are marked in the files.
      guard truncate(path, 0) == 0 else { throw .last(.write, path) }
    } else {
      try append(["closed": .string(id)])
    }
    open = rest
  }

  private func append(_ entry: JSONValue) throws(FileError) {
    let text = Array(entry.line.utf8)
    let sum = String(mp_log_crc32c(0, text, text.count), radix: 16)
    try file.append(Array("\(sum) ".utf8) + text + [0x0a])
    try file.settle()
  }

  /// Takes a line of the file; one that is damaged is as if it had not been written, since what it notes had not begun.
  private func take(_ line: ArraySlice<UInt8>) {
    guard let space = line.firstIndex(of: 0x20), space < line.endIndex - 1 else { return }
    let text = Array(line[(space + 1)...])
    let sum = UInt32(String(decoding: line[..<space], as: UTF8.self), radix: 16)
    guard sum == mp_log_crc32c(0, text, text.count),
      let entry = try? text.withUnsafeBytes({ try JSONValue(reading: $0) }).object
    else { return }
    if let made = entry["made"]?.array {
      if let old = entry["instead"]?.string { open.removeAll { $0.batch.id == old } }
      open += made.compactMap(Self.batch).map { ($0, false) }
    } else if let id = entry["acknowledged"]?.string {
      for index in open.indices where open[index].batch.id == id { open[index].isAcknowledged = true }
    } else if let id = entry["closed"]?.string {
      open.removeAll { $0.batch.id == id }
    }
  }

  private static func json(_ batch: UploadBatch) -> JSONValue {
    let slices: [JSONValue] = batch.slices.map {
      ["file": .string($0.file), "start": JSONValue($0.start), "end": JSONValue($0.end), "sum": JSONValue($0.checksum)]
    }
    return ["id": .string(batch.id), "type": .string(batch.type.rawValue), "slices": .array(slices)]
  }

  private static func batch(_ value: JSONValue) -> UploadBatch? {
    guard let object = value.object, let id = object["id"]?.string, let type = object["type"]?.string else {
      return nil
    }
    let slices = (object["slices"]?.array ?? []).compactMap(\.object).compactMap { slice -> MonitorSlice? in
      guard let file = slice["file"]?.string, let start = slice["start"]?.integer(Int.self),
        let end = slice["end"]?.integer(Int.self), start >= 0, end >= start,
        let sum = slice["sum"]?.integer(UInt32.self)
      else { return nil }
      return MonitorSlice(file: file, start: start, end: end, checksum: sum)
    }
    return UploadBatch(id: id, type: LogType(rawValue: type), slices: slices)
  }
}
