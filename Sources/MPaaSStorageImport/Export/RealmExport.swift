package import MPaaSStorage
import MPaaSSupport

/// Reads the JSON that Realm Studio exports: an object of classes, each an array of objects.
package enum RealmExport {
  /// The members that a key is looked for in, where none is named.
  private static let usualKeys = ["_id", "id", "uuid", "key"]

  /// The objects, each as JSON under the business of its class.
  ///
  /// - Parameter primaryKey: The member that has the key; nil for the first of `_id`, `id`, `uuid` and `key` that the
  ///   objects have, else their position.
  /// - Throws: `kv-import-malformed` with the place where it is no export, an object has no key, or two have the same.
  package static func records(
    _ bytes: UnsafeRawBufferPointer, primaryKey: String? = nil, file: String
  ) throws(StorageError) -> ImportedFile {
    let json: JSONValue
    do throws(JSONError) { json = try JSONValue(reading: bytes, by: .exact) } catch {
      let place = Place.text(file: file, line: error.line, column: error.column)
      throw StorageError(.importMalformed, ["path": file, "reason": error.code.rawValue], at: place)
    }
    guard let classes = json.object else { throw malformed(json.kind, file) }
    var imported = ImportedFile()
    for (name, value) in classes.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
      guard let objects = value.array else { throw malformed("\(name): \(value.kind)", file) }
      imported.records += try records(of: name, objects, primaryKey, file)
    }
    return imported
  }

  private static func records(
    of name: String, _ objects: [JSONValue], _ primaryKey: String?, _ file: String
  ) throws(StorageError) -> [ImportedRecord] {
    let member = primaryKey ?? usualKeys.first { key in objects.allSatisfy { $0.object?[key].flatMap(text) != nil } }
    var known: Set<String> = []
    var records: [ImportedRecord] = []
    for (position, value) in objects.enumerated() {
      guard let object = value.object else { throw malformed("\(name)[\(position)]: \(value.kind)", file) }
      let key = member.map { object[$0].flatMap(text) } ?? "\(position)"
      guard let key else { throw malformed("\(name)[\(position)].\(member ?? "")", file) }
      guard known.insert(key).inserted else { throw malformed("\(name)[\(position)]: \(key)", file) }
      records.append(ImportedRecord(business: name, key: key, value: .json(Array(value.line.utf8))))
    }
    return records
  }

  /// The text of a key: a text, a whole number, or what extended JSON wraps them in, as `{"$oid":"…"}`.
  private static func text(_ value: JSONValue) -> String? {
    switch value {
    case .string(let text): text
    case .unsigned(let number): "\(number)"
    case .negative(let number): "\(number)"
    case .object(let members) where members.count == 1 && members.first?.key.hasPrefix("$") == true:
      members.first.flatMap { text($0.value) }
    default: nil
    }
  }

  private static func malformed(_ reason: String, _ file: String) -> StorageError {
    StorageError(.importMalformed, ["path": file, "reason": reason], at: .file(file))
  }
}
