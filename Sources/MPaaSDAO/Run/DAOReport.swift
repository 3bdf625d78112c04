package import MPaaSSupport

/// The answers to calls as JSON, in the form that `mpaas dao explain` and `mpaas dao run` print.
package enum DAOReport {
  /// An array of `{"kind","sql","bindings"}`.
  package static func statements(_ statements: [DAOStatement]) -> JSONValue {
    .array(
      statements.map { statement in
        .object([
          "kind": .string(statement.kind.rawValue), "sql": .string(statement.sql),
          "bindings": .array(statement.bindings.map(binding)),
        ])
      })
  }

  /// SQLite has no truth values: they are 1 and 0.
  private static func binding(_ value: DAOValue) -> JSONValue {
    if case .bool(let flag) = value { JSONValue(flag ? 1 : 0) } else { value.json }
  }

  /// The answer to `{"method","args","table"?}` or `{"transaction"}`: `{"ok":true,…}` or `{"ok":false,"error",…}`.
  package static func answer(
    to call: JSONValue, by interpreter: DAOInterpreter, _ around: DAOSurroundings = DAOSurroundings()
  ) -> JSONValue {
    do {
      return .object(try members(of: call, interpreter, around))
    } catch {
      var members: [String: JSONValue] = ["ok": false, "error": .string(error.code.id)]
      if let reason = error.values["reason"] { members["message"] = .string(reason) }
      return .object(members)
    }
  }

  private static func members(
    of call: JSONValue, _ interpreter: DAOInterpreter, _ around: DAOSurroundings
  ) throws(DAOError) -> [String: JSONValue] {
    if let word = call.object?["transaction"] {
      guard let step = word.string.flatMap(DAOTransaction.init(rawValue:)) else {
        throw DAOError(.argumentType, ["value": "transaction", "kind": word.kind])
      }
      try interpreter.transaction(step)
      return ["ok": true]
    }
    guard let name = call.object?["method"]?.string else {
      throw DAOError(.argumentType, ["value": "method", "kind": call.object?["method"]?.kind ?? call.kind])
    }
    var around = around
    if let table = call.object?["table"]?.string { around.table = table }
    let arguments = try arguments(call.object?["args"] ?? [], of: name, interpreter.program.document)
    switch try interpreter.call(name, arguments, around) {
    case .result(let value): return ["ok": true, "result": value.json]
    case .changed(let rows, let lastRow):
      var members: [String: JSONValue] = ["ok": true, "changes": JSONValue(rows)]
      if let lastRow { members["lastRowId"] = JSONValue(lastRow) }
      return members
    }
  }

  /// The arguments of a call: an array, or an object by the names that a method gives them.
  package static func arguments(
    _ json: JSONValue, of method: String, _ document: DAODocument
  ) throws(DAOError) -> [DAOValue] {
    switch json {
    case .array(let elements):
      var values: [DAOValue] = []
      for element in elements { values.append(try DAOValue(element)) }
      return values
    case .object(let members):
      let names = Set(members.keys)
      let found = document.methods.first { $0.name == method && Set($0.arguments.map(\.name)) == names }
      guard let found else { throw DAOError(.noMethod, ["name": method, "count": "\(names.count)"]) }
      var values: [DAOValue] = []
      for argument in found.arguments { values.append(try DAOValue(members[argument.name] ?? .null)) }
      return values
    default: throw DAOError(.argumentType, ["value": "args", "kind": json.kind])
    }
  }
}
