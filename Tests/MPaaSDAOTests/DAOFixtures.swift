import Foundation
import MPaaSDAO
import MPaaSSupport
import MPaaSTestSupport

/// The documents of the fixtures, and the calls beside them.
enum DAOFixtures {
  static func bytes(_ name: String) throws -> [UInt8] { [UInt8](try Fixture.data("storage/dao/\(name)")) }

  static func json(_ text: some StringProtocol) throws -> JSONValue {
    try Array(text.utf8).withUnsafeBytes { try JSONValue(reading: $0) }
  }

  /// The objects of a file with one a line.
  static func lines(_ path: String) throws -> [JSONValue.Object] {
    let text = String(decoding: try Fixture.data(path), as: UTF8.self)
    return try text.split(separator: "\n").map { try json($0).object ?? [:] }
  }

  static func program(_ text: String) throws -> DAOProgram { try DAOProgram(reading: Array(text.utf8)) }

  /// A module with a table `t` and methods.
  static func module(_ methods: String) -> String {
    """
    <module name="M" initializer="make" tableName="t">
    <update id="make">create table if not exists ${T} (id integer primary key, name text, age integer)</update>
    \(methods)
    </module>
    """
  }

  /// The interpreter of a document on a database in memory.
  static func interpreter(_ methods: String) throws -> DAOInterpreter {
    DAOInterpreter(try program(module(methods)), try DAOConnection(":memory:"))
  }
}

/// Two values of JSON, where 1 and 1.0 are the same.
func isSame(_ one: JSONValue, _ other: JSONValue) -> Bool {
  if let left = one.double, let right = other.double { return left == right }
  switch (one, other) {
  case (.array(let left), .array(let right)):
    return left.count == right.count && zip(left, right).allSatisfy(isSame)
  case (.object(let left), .object(let right)):
    return Set(left.keys) == Set(right.keys) && left.keys.allSatisfy { isSame(left[$0] ?? .null, right[$0] ?? .null) }
  default: return one == other
  }
}
