import MPaaSSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// Makes records of other things. Members that are missing are those of a blank record; unknown ones are passed over.
extension ActiveRecord {
  /// Makes a blank record: 0, empty texts, no elements.
  ///
  /// - Throws: `record-fields` where the type cannot be made of these, and has no `sample`.
  public static func record() throws(DatabaseError) -> Self { try blank() }

  /// Makes a record of an object's members; a copy of another record has no key, so that saving it makes a new row.
  ///
  /// - Throws: `record-malformed` where a member is not of the type's.
  public static func record(_ object: some Encodable) throws(DatabaseError) -> Self {
    var json = try RecordJSON.value(of: object, "\(Self.self)")
    if let other = object as? any ActiveRecord, case .object(var members) = json {
      members[try other.schema().key.name] = nil
      json = .object(members)
    }
    return try record(json)
  }

  /// Makes a record of members by their names.
  public static func record(dictionary: [String: any Encodable & Sendable]) throws(DatabaseError) -> Self {
    var members: [String: JSONValue] = [:]
    for (name, value) in dictionary { members[name] = try RecordJSON.value(of: value, name) }
    return try record(.object(members))
  }

  /// Makes a record of a JSON object.
  public static func record(json text: String) throws(DatabaseError) -> Self { try record(json: Array(text.utf8)) }

  /// Makes a record of a JSON object in UTF-8.
  public static func record(json bytes: [UInt8]) throws(DatabaseError) -> Self {
    try record(RecordJSON.value(reading: bytes, "\(Self.self)"))
  }

  /// Makes records of a JSON array of objects, or of one object.
  public static func records(json text: String) throws(DatabaseError) -> [Self] {
    try records(json: Array(text.utf8))
  }

  /// Makes records of a JSON array of objects in UTF-8, or of one object.
  public static func records(json bytes: [UInt8]) throws(DatabaseError) -> [Self] {
    let json = try RecordJSON.value(reading: bytes, "\(Self.self)")
    return try (json.array ?? [json]).map { value throws(DatabaseError) in try record(value) }
  }

  /// The record as a JSON object; members in the order of their names.
  ///
  /// - Throws: `record-malformed` where a member cannot be one, as a number that is none.
  public func json() throws(DatabaseError) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do { return String(decoding: try encoder.encode(self), as: UTF8.self) } catch {
      throw DatabaseError(.recordMalformed, ["column": "", "type": "\(Self.self)", "found": "\(error)"])
    }
  }

  private static func record(_ json: JSONValue) throws(DatabaseError) -> Self {
    let whole = try RecordJSON.completed(json, self)
    do { return try JSONDecoder().decode(self, from: Data(whole.line.utf8)) } catch {
      throw DatabaseError(.recordMalformed, DecodingFault(error, of: "\(self)").values)
    }
  }
}

/// Records as JSON.
enum RecordJSON {
  static func value(of object: some Encodable, _ name: String) throws(DatabaseError) -> JSONValue {
    let bytes: Data
    do { bytes = try JSONEncoder().encode(object) } catch {
      throw DatabaseError(.recordMalformed, ["column": name, "type": "\(type(of: object))", "found": "\(error)"])
    }
    return try value(reading: Array(bytes), name)
  }

  static func value(reading bytes: [UInt8], _ type: String) throws(DatabaseError) -> JSONValue {
    do throws(JSONError) {
      return try bytes.withUnsafeBytes { bytes in
        Result { () throws(JSONError) in try JSONValue(reading: bytes, by: .exact) }
      }.get()
    } catch {
      let place = "\(error.code.rawValue), \(error.line):\(error.column)"
      throw DatabaseError(.recordMalformed, ["column": "", "type": type, "found": place])
    }
  }

  /// The object with the members of a blank record in place of those that it lacks, and so for the records in it.
  static func completed<Record: ActiveRecord>(_ json: JSONValue, _ type: Record.Type) throws(DatabaseError) -> JSONValue
  {
    guard let given = json.object else { return json }
    guard case .object(var members) = try value(of: type.blank(), "\(type)") else { return json }
    for (name, value) in given {
      if value == .null, members[name] != nil { continue }
      members[name] = value
    }
    for field in try RecordSchema.of(type).fields {
      guard let value = given[field.name] else { continue }
      switch field.relation {
      case .column: continue
      case .one(let nested): members[field.name] = try completed(value, nested)
      case .many(let nested):
        guard let values = value.array else { continue }
        members[field.name] = .array(
          try values.map { value throws(DatabaseError) in try completed(value, nested) })
      }
    }
    return .object(members)
  }
}
