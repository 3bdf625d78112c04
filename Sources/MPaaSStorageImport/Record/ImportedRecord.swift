package import MPaaSStorage
import MPaaSSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A value that another library kept, as a key-value store takes it.
package struct ImportedRecord: Sendable, Equatable {
  package let business: String
  package let key: String
  package let value: StoredValue
  /// Milliseconds since 1970 from which it is not there any more; 0 for never.
  package let expiry: Int64
  /// True where the file does not tell the kind of the value, and another one would have the same bytes.
  package let isGuess: Bool

  package init(
    business: String, key: String, value: StoredValue, expiry: Int64 = 0, isGuess: Bool = false
  ) {
    (self.business, self.key, self.value) = (business, key, value)
    (self.expiry, self.isGuess) = (expiry, isGuess)
  }
}

/// All that a file of another library has, read before any of it is stored.
package struct ImportedFile: Sendable, Equatable {
  package var records: [ImportedRecord]

  package init(records: [ImportedRecord] = []) { self.records = records }

  /// Stores everything with one write.
  package func store(in store: KeyValueStore) throws(StorageError) {
    var batch = KeyValueBatch()
    for record in records {
      let expiry = record.expiry == 0 ? nil : Date(timeIntervalSince1970: Double(record.expiry) / 1000)
      batch.set(record.value, forKey: record.key, business: record.business, options: ValueOptions(expiry: expiry))
    }
    try store.write(batch)
  }
}

extension StorageError.Code {
  /// A file of MMKV is none, or is damaged.
  package static var mmkvMalformed: Self { StorageError.Code("mmkv-malformed", exit: .malformedInput) }
  /// The checksum of a file of MMKV is another one.
  package static var mmkvChecksum: Self { StorageError.Code("mmkv-checksum", exit: .malformedInput) }
  /// The file of checksums that belongs to a file of MMKV is missing or too short.
  package static var mmkvMetaMissing: Self { StorageError.Code("mmkv-meta-missing", exit: .inputMissing) }
  /// The content is encrypted, and no key was given, or another one.
  package static var mmkvKeyWrong: Self { StorageError.Code("mmkv-key-wrong", exit: .notPermitted) }
  /// A value is not of the kind that was said.
  package static var importKind: Self { StorageError.Code("kv-import-kind", exit: .malformedInput) }
  /// A document is no export that can be imported.
  package static var importMalformed: Self { StorageError.Code("kv-import-malformed", exit: .malformedInput) }
}
