package import MPaaSSupport
import TOMLKit

/// A TOML 1.0 text and what it says.
package struct TOMLDocument: Sendable {
  /// The text as it stands, comments and all.
  package let text: String
  /// The tables as objects.
  ///
  /// Dates and times are strings as TOML writes them; what is not finite is null.
  package let values: JSONValue.Object
  /// The file's name in errors.
  package let file: String
  /// The places of the keys.
  let outline: TOMLOutline

  /// Reads a text.
  ///
  /// - Parameter file: What errors name.
  /// - Throws: `TOMLError` with the line and column of the first fault.
  package init(_ text: String, file: String) throws(TOMLError) {
    // The library reads up to the first NUL.
    guard !text.utf8.contains(0) else {
      let line = text.utf8.prefix { $0 != 0 }.count { $0 == UInt8(ascii: "\n") } + 1
      throw TOMLError("NUL", file: file, line: line, column: nil)
    }
    do throws(TOMLScanner.Fault) {
      outline = try TOMLScanner.outline(text)
    } catch {
      // The library knows better words for what is wrong, but there are bytes that it is not ready for.
      let start = String(decoding: Array(text.utf8).prefix(error.offset), as: UTF8.self)
      do throws(TOMLError) {
        _ = try Self.parsed(start, file)
      } catch let early where early.line < error.line || error.offset == text.utf8.count {
        throw early
      } catch {}
      let byte = text.utf8.dropFirst(error.offset).first ?? 0x20
      let character = byte == 0x0a ? "end of line" : "'\(Character(Unicode.Scalar(byte)))'"
      throw TOMLError("unexpected \(character)", file: file, line: error.line, column: error.column)
    }
    values = try Self.parsed(text, file)
    self.text = text
    self.file = file
  }

  private static func parsed(_ text: String, _ file: String) throws(TOMLError) -> JSONValue.Object {
    do {
      return object(try TOMLTable(string: text), depth: 0)
    } catch let error as TOMLParseError {
      throw TOMLError(error.description, file: file, line: error.source.begin.line, column: error.source.begin.column)
    } catch {
      throw TOMLError("\(error)", file: file, line: 1, column: nil)
    }
  }

  /// The line, from 1, that begins what `path` leads to; nil where nothing does.
  package func line(of path: [String]) -> Int? { outline.line(of: path.map { .key($0) }) }

  /// The line, from 1, of the header of an element of an array of tables; nil where there is no such element.
  package func line(ofElement index: Int, in path: [String]) -> Int? {
    outline.line(of: path.map { .key($0) } + [.element(index)])
  }

  private static func object(_ table: TOMLTable, depth: Int) -> JSONValue.Object {
    var object: JSONValue.Object = [:]
    for (key, value) in table { object[key] = json(value, depth: depth + 1) }
    return object
  }

  private static func json(_ value: any TOMLValueConvertible, depth: Int) -> JSONValue {
    // The library itself refuses deeper values.
    guard depth < 300 else { return .null }
    switch value.type {
    case .table: return value.table.map { .object(object($0, depth: depth)) } ?? .null
    case .array: return value.array.map { .array($0.map { json($0, depth: depth + 1) }) } ?? .null
    case .string: return value.string.map { .string($0) } ?? .null
    case .int: return value.int.map { JSONValue($0) } ?? .null
    case .double: return value.double.flatMap { JSONValue($0) } ?? .null
    case .bool: return value.bool.map { .bool($0) } ?? .null
    case .date, .time, .dateTime: return .string(value.debugDescription)
    }
  }
}

/// The reason why a text is not TOML.
package struct TOMLError: Error, Sendable, Equatable {
  /// The library's words; English.
  package let reason: String
  package let file: String
  package let line: Int
  package let column: Int?

  package init(_ reason: String, file: String, line: Int, column: Int?) {
    self.reason = reason
    self.file = file
    self.line = line
    self.column = column
  }
}

extension TOMLError: DiagnosticConvertible {
  package var diagnostic: Diagnostic {
    Diagnostic(
      "toml-malformed", ["file": file, "reason": reason], at: .text(file: file, line: line, column: column),
      exit: .malformedInput)
  }
}
