import MPaaSConfig
package import MPaaSStorage
import MPaaSSupport

/// Reads the property list in which `UserDefaults` keeps the settings of an app: binary, XML or old-style.
package enum DefaultsList {
  /// The settings of a list.
  ///
  /// Texts, numbers, bytes and yes or no are what they are; dates, arrays and dictionaries are binary property lists, and
  /// bytes of a keyed archive are an archive.
  ///
  /// - Throws: The fault of the list with its place; `kv-import-malformed` where it is no dictionary.
  package static func records(
    _ bytes: [UInt8], business: String, file: String
  ) throws(StorageError) -> ImportedFile {
    let list: PropertyListFile
    do throws(ConfigError) { list = try PropertyListFile(bytes, file: file) } catch {
      throw StorageError(StorageError.Code(error.code.id, exit: error.code.exit), error.values, at: error.place)
    }
    guard let members = list.root.members else {
      throw StorageError(.importMalformed, ["path": file, "reason": list.root.element], at: list.place(of: list.root))
    }
    var imported = ImportedFile()
    for member in members where list.root.member(member.key) == member {
      let value = try stored(member.value, file)
      imported.records.append(ImportedRecord(business: business, key: member.key, value: value))
    }
    return imported
  }

  private static func stored(_ value: PropertyListValue, _ file: String) throws(StorageError) -> StoredValue {
    switch value.content {
    case .string(let text): return .string(text)
    case .boolean(let flag): return .bool(flag)
    case .real(let number): return .double(number)
    case .data(let bytes): return isArchive(bytes) ? .archive(bytes) : .data(bytes)
    case .integer(let number):
      if let number = Int64(exactly: number) { return .integer(number) }
    default: break
    }
    do throws(ConfigError) {
      return .propertyList(try PropertyListFile.bytes(of: value, as: .binary, file: file))
    } catch {
      throw StorageError(StorageError.Code(error.code.id, exit: error.code.exit), error.values, at: error.place)
    }
  }

  /// Tells whether bytes are what `NSKeyedArchiver` writes.
  private static func isArchive(_ bytes: [UInt8]) -> Bool {
    guard bytes.starts(with: Array("bplist00".utf8)), let list = try? PropertyListFile(bytes, file: "", format: .binary)
    else { return false }
    return list.root["$archiver"] != nil
  }
}
