import MPaaSStorage
import MPaaSSupport

/// A record of an import: a line `{"business","key","value"}`; `null` removes the key.
struct KVLine {
  let number: Int
  let business: String
  let key: String
  /// Nil where the key is removed.
  let value: StoredValue?
  let isPurgeable: Bool

  func add(to batch: inout KeyValueBatch) {
    if let value {
      batch.set(value, forKey: key, business: business, options: ValueOptions(isPurgeable: isPurgeable))
    } else {
      batch.remove(forKey: key, business: business)
    }
  }
}

/// The lines of an import, one after another.
struct KVLines {
  let file: String
  private(set) var changes = KVChanges()

  init(file: String) { self.file = file }

  /// Hands over each record; lines without anything are passed over.
  ///
  /// - Throws: `StorageError` with the line's number where one is no record.
  mutating func read(_ bytes: UnsafeRawBufferPointer, _ body: (KVLine) throws -> Void) throws {
    for (index, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated()
    where line.contains(where: { $0 > 0x20 }) {
      let record = try record(UnsafeRawBufferPointer(rebasing: line), index + 1)
      if record.value == nil { changes.removed += 1 } else { changes.written += 1 }
      try body(record)
    }
  }

  private func record(_ line: UnsafeRawBufferPointer, _ number: Int) throws(StorageError) -> KVLine {
    guard let members = (try? JSONValue(reading: line))?.object, let key = members["key"]?.string,
      let json = members["value"]
    else { throw malformed(number) }
    let value = json == .null ? nil : StoredValue(json)
    guard json == .null || value != nil else { throw malformed(number) }
    return KVLine(
      number: number, business: members["business"]?.string ?? "", key: key, value: value,
      isPurgeable: members["purgeable"]?.bool ?? false)
  }

  private func malformed(_ line: Int) -> StorageError {
    StorageError(
      .lineMalformed, ["path": file, "line": "\(line)"], at: .text(file: file, line: line, column: nil))
  }
}
