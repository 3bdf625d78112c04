import CommandKit
import MPaaSDAO
import MPaaSSupport
import MPaaSTerminal

/// The input of the commands: documents, values of JSON, keys.
enum DAOInput {
  static func program(_ file: String, _ catalogue: Catalogue) throws -> DAOProgram {
    let bytes = try bytes(file)
    do {
      return try DAOProgram(reading: bytes, file: file)
    } catch {
      throw DAOReasons.diagnostic(error, catalogue)
    }
  }

  /// The bytes of a document; one that is larger than any may be is cut behind that, and refused by its reader.
  static func bytes(_ file: String) throws -> [UInt8] { try Bytes.reading(file, limit: 1 << 28).array }

  /// The value of an option.
  ///
  /// - Throws: `dao-json` with the reader's reason.
  static func json(_ text: String, _ option: String) throws -> JSONValue {
    do {
      return try Array(text.utf8).withUnsafeBytes { try JSONValue(reading: $0) }
    } catch let error as JSONError {
      let reason = error.code.rawValue
      throw Diagnostic("dao-json", ["name": option, "reason": reason], exit: .malformedInput)
    }
  }

  /// The values of all names of an object.
  static func globals(_ text: String?) throws -> [String: DAOValue] {
    guard let text else { return [:] }
    guard let members = try json(text, "--globals").object else {
      throw Diagnostic("dao-json", ["name": "--globals", "reason": "no-object"], exit: .malformedInput)
    }
    var values: [String: DAOValue] = [:]
    for (name, value) in members { values[name] = try DAOValue(value) }
    return values
  }

  /// The key of 32 bytes, which a file holds as they are or in 64 hexadecimal digits.
  static func key(_ file: String?) throws -> [UInt8]? {
    guard let file else { return nil }
    let bytes = try Bytes.reading(file, limit: 1 << 12).array
    if bytes.count == 32 { return bytes }
    let text = String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace }
    guard let key = [UInt8](hexadecimal: text), key.count == 32 else {
      throw Diagnostic("dao-key-file", ["file": file], at: .file(file), exit: .malformedInput)
    }
    return key
  }
}
