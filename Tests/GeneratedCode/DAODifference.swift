// Calls each method by the interpreter and by compiled code, each on a database of its own, and tells of differences in
// statements, values, results and errors. Standard input has a call a line; see DifferenceProgram.
import CSQLite
import Foundation
import MPaaSDAO
import MPaaSDAORuntime

/// A compiled document, and what is needed to compare it.
struct Compiled {
  let open: (String) throws -> any CompiledDAO
  let call: (any CompiledDAO, String, [DAOValue]) throws -> DAOOutcome
  /// The types of the properties of results, by the method's name and number of arguments.
  let shapes: [String: [String: String]]
}

/// A value that compiled code does not take.
struct Skipped: Error {}

func integer(_ value: DAOValue) throws -> Int64 {
  if case .integer(let number) = value { return number }
  throw Skipped()
}

func real(_ value: DAOValue) throws -> Double {
  if case .real(let number) = value { return number }
  throw Skipped()
}

func text(_ value: DAOValue) throws -> String {
  if case .text(let text) = value { return text }
  throw Skipped()
}

func data(_ value: DAOValue) throws -> [UInt8] {
  if case .data(let bytes) = value { return bytes }
  throw Skipped()
}

func flag(_ value: DAOValue) throws -> Bool {
  if case .bool(let flag) = value { return flag }
  throw Skipped()
}

func optional<Value>(_ value: DAOValue, _ read: (DAOValue) throws -> Value) throws -> Value? {
  value == .null ? nil : try read(value)
}

func list<Value>(_ value: DAOValue, _ read: (DAOValue) throws -> Value) throws -> [Value] {
  if case .list(let elements) = value { return try elements.map(read) }
  throw Skipped()
}

/// Reads values as the test writes them.
struct Values {
  private let bytes: [UInt8]
  private var place = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  private mutating func word() -> String {
    let end = bytes[place...].firstIndex(of: UInt8(ascii: ";")) ?? bytes.endIndex
    defer { place = end + 1 }
    return String(decoding: bytes[place..<end], as: UTF8.self)
  }

  private mutating func hexadecimal() -> [UInt8] {
    let word = Array(word().utf8)
    return stride(from: 0, to: word.count, by: 2).map {
      UInt8(String(decoding: word[$0..<$0 + 2], as: UTF8.self), radix: 16) ?? 0
    }
  }

  private mutating func members() -> [String: DAOValue] {
    var members: [String: DAOValue] = [:]
    for _ in 0..<(Int(word()) ?? 0) {
      let name = String(decoding: hexadecimal(), as: UTF8.self)
      members[name] = next()
    }
    return members
  }

  mutating func next() -> DAOValue {
    place += 1
    switch bytes[place - 1] {
    case UInt8(ascii: "t"): return .bool(true)
    case UInt8(ascii: "f"): return .bool(false)
    case UInt8(ascii: "i"): return .integer(Int64(word()) ?? 0)
    case UInt8(ascii: "r"): return .real(Double(bitPattern: UInt64(word()) ?? 0))
    case UInt8(ascii: "s"): return .text(String(decoding: hexadecimal(), as: UTF8.self))
    case UInt8(ascii: "d"): return .data(hexadecimal())
    case UInt8(ascii: "l"):
      var elements: [DAOValue] = []
      for _ in 0..<(Int(word()) ?? 0) { elements.append(next()) }
      return .list(elements)
    case UInt8(ascii: "m"): return .dictionary(members())
    case UInt8(ascii: "o"):
      let name = String(decoding: hexadecimal(), as: UTF8.self)
      return .object(DAOObject(className: name, properties: members()))
    default: return .null
    }
  }
}

/// The statements that SQLite ran since the last look, with their values.
nonisolated(unsafe) var ran: [String] = []

func trace(_ dao: some DAOAccess) throws {
  _ = try dao.withHandle { handle in
    sqlite3_trace_v2(
      handle, UInt32(SQLITE_TRACE_STMT),
      { _, _, statement, _ in
        if let text = sqlite3_expanded_sql(OpaquePointer(statement)) {
          ran.append(String(cString: text))
          sqlite3_free(text)
        }
        return 0
      }, nil)
  }
}

/// The outcome of a call, and what SQLite ran for it.
struct Answer {
  let outcome: Result<DAOOutcome, DAOError>
  let statements: [String]

  init(_ body: () throws -> DAOOutcome) throws {
    ran = []
    do {
      outcome = .success(try body())
    } catch let error as DAOError {
      outcome = .failure(error)
    }
    statements = ran
  }

  var text: String {
    switch outcome {
    case .success(let outcome): "\(outcome)"
    case .failure(let error): "\(error)"
    }
  }
}

/// The interpreter's result as compiled code types it.
func typed(_ value: DAOValue, _ shape: [String: String], _ dao: DAO) throws -> DAOValue {
  switch value {
  case .list(let elements): return .list(try elements.map { try typed($0, shape, dao) })
  case .object(var object):
    for (property, type) in shape {
      let own = object.properties[property] ?? .null
      object.properties[property] =
        type == "value" || own == .null
        ? own : try dao.executeQuery("select cast(? as \(type)) as v", [own])[0]["v"] ?? .null
    }
    return .object(object)
  default: return value
  }
}

func isSame(_ one: Result<DAOOutcome, DAOError>, _ other: Result<DAOOutcome, DAOError>) -> Bool {
  switch (one, other) {
  case (.success(let left), .success(let right)): "\(left)" == "\(right)" || left == right
  case (.failure(let left), .failure(let right)): "\(left)" == "\(right)"
  default: false
  }
}

func compare(_ documents: [Compiled]) throws {
  let folder = CommandLine.arguments[1]
  var pairs: [Int: (interpreted: DAO, compiled: any CompiledDAO)] = [:]
  var scenario = 0
  var (calls, skipped, failed) = (0, 0, 0)
  while let line = readLine() {
    let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    if parts[0] == "new" {
      pairs = [:]
      scenario += 1
      continue
    }
    guard let number = Int(parts[0]) else { continue }
    let document = documents[number]
    if pairs[number] == nil {
      let file = "\(folder)/\(number).xml"
      let interpreted = try DAO(document: file, databasePath: "\(folder)/i\(scenario).db")
      let compiled = try document.open("\(folder)/c\(scenario).db")
      pairs[number] = (interpreted, compiled)
      try trace(interpreted)
      try trace(compiled)
    }
    guard let (interpreted, compiled) = pairs[number] else { continue }
    interpreted.globalArguments = ["me": "it's", "you": 7]
    compiled.globalArguments = interpreted.globalArguments
    interpreted.tableName = parts[2].isEmpty ? interpreted.tableName : parts[2]
    compiled.tableName = interpreted.tableName
    if let step = DAOTransaction(rawValue: parts[1]), parts[3].isEmpty {
      let one = try Answer {
        try interpreted.daoTransaction(step); return .result(.null)
      }
      let other = try Answer {
        try compiled.daoTransaction(step); return .result(.null)
      }
      if !isSame(one.outcome, other.outcome) { print("\(number) \(step): \(one.text) | \(other.text)") }
      continue
    }
    var values = Values(parts[3])
    guard case .list(let arguments) = values.next() else { continue }
    if parts[1] == "!row" {
      let sql = "insert into t (name, age, score, data, kind) values (?, ?, ?, ?, ?)"
      try interpreted.executeUpdate(sql, arguments)
      try compiled.executeUpdate(sql, arguments)
      continue
    }
    let answer: Answer
    do {
      answer = try Answer { try document.call(compiled, parts[1], arguments) }
    } catch is Skipped {
      skipped += 1
      continue
    }
    var expected = try Answer { try interpreted.call(parts[1], arguments) }
    let shape = document.shapes["\(parts[1])/\(arguments.count)"] ?? [:]
    calls += 1
    if case .success(.result(let value)) = expected.outcome, !shape.isEmpty {
      let statements = expected.statements
      expected = try Answer { .result(try typed(value, shape, interpreted)) }
      if statements != answer.statements || !isSame(expected.outcome, answer.outcome) {
        print(
          "\(number) \(parts[1]) \(arguments)\n  \(statements) \(expected.text)\n  \(answer.statements) \(answer.text)")
        failed += 1
      }
    } else if expected.statements != answer.statements || !isSame(expected.outcome, answer.outcome) {
      print(
        "\(number) \(parts[1]) \(arguments)\n  \(expected.statements) \(expected.text)\n  \(answer.statements) \(answer.text)"
      )
      failed += 1
    }
  }
  print("calls \(calls) skipped \(skipped) different \(failed)")
}
