internal import CLua
package import MPaaSSupport

/// Any value that crosses between the app and Lua, where its Swift type is not known: in records and in the harness.
package enum LuaValue: Sendable, Equatable {
  case null
  case boolean(Bool)
  case integer(Int64)
  case number(Double)
  case string(String)
  /// A string of Lua that is not UTF-8.
  case bytes([UInt8])
  case array([LuaValue])
  case table([String: LuaValue])
  /// An object, by its type's name.
  case object(String)

  static let deepest = 32
}

extension LuaValue: PatchValue {
  package static var patchType: PatchType { PatchType(.any) }

  package func push(on stack: PatchStack) throws(PatchValueError) { try push(on: stack, depth: 0) }

  private func push(on stack: PatchStack, depth: Int) throws(PatchValueError) {
    guard depth < Self.deepest else { throw PatchValueError("tables nested too deep") }
    switch self {
    case .null, .object: try Bool?.none.push(on: stack)
    case .boolean(let value): try value.push(on: stack)
    case .integer(let value): try value.push(on: stack)
    case .number(let value): try value.push(on: stack)
    case .string(let value): try value.push(on: stack)
    case .bytes(let value):
      if value.withUnsafeBytes({ mp_lua_push_string(stack.call, $0.baseAddress, UInt($0.count)) }) == 0 {
        throw .noRoom
      }
    case .array(let elements):
      if mp_lua_push_table(stack.call, elements.count, 0) == 0 { throw .noRoom }
      for (index, element) in elements.enumerated() {
        try element.push(on: stack, depth: depth + 1)
        if mp_lua_set_element(stack.call, Int64(index + 1)) == 0 { throw .noRoom }
      }
      guard elements.contains(.null) else { return }
      try elements.count.push(on: stack)
      if mp_lua_set_member(stack.call, "n", 1) == 0 { throw .noRoom }
    case .table(let members):
      if mp_lua_push_table(stack.call, 0, members.count) == 0 { throw .noRoom }
      for (key, value) in members {
        try value.push(on: stack, depth: depth + 1)
        var key = key
        if key.withUTF8({ mp_lua_set_member(stack.call, $0.baseAddress, UInt($0.count)) }) == 0 { throw .noRoom }
      }
    }
  }

  package static func read(from stack: PatchStack, at index: Int32) throws(PatchValueError) -> LuaValue {
    var nodes = 0
    return try read(from: stack, at: stack.absolute(index), depth: 0, nodes: &nodes)
  }

  private static func read(
    from stack: PatchStack, at index: Int32, depth: Int, nodes: inout Int
  ) throws(PatchValueError) -> LuaValue {
    // Two tables may hold the same third many times over.
    nodes += 1
    guard depth < deepest, nodes <= stack.state.limits.memory / 64 else {
      throw PatchValueError("a table that is too deep or too large")
    }
    switch mp_lua_type_of(stack.call, index) {
    case MP_LUA_BOOLEAN: return .boolean(mp_lua_get_boolean(stack.call, index) == 1)
    case MP_LUA_INTEGER: return .integer(try Int64.read(from: stack, at: index))
    case MP_LUA_NUMBER: return .number(try Double.read(from: stack, at: index))
    case MP_LUA_STRING:
      let bytes = try stack.bytes(index, as: patchType)
      return String(validUTF8: bytes.assumingMemoryBound(to: UInt8.self)).map { .string($0) }
        ?? .bytes(Array(bytes))
    case MP_LUA_TABLE: return try table(stack, index, depth, &nodes)
    case MP_LUA_OBJECT: return .object(stack.object(index).map { "\(type(of: $0.object))" } ?? "object")
    case MP_LUA_FUNCTION: throw PatchValueError("a function cannot leave Lua")
    default: return .null
    }
  }

  /// A table whose only key but numbers is `n`, or that has an element 1, is an array.
  private static func table(
    _ stack: PatchStack, _ table: Int32, _ depth: Int, _ nodes: inout Int
  ) throws(PatchValueError) -> LuaValue {
    if mp_lua_get_element(stack.call, table, 1) == 0 { throw .noRoom }
    let isArray = mp_lua_type_of(stack.call, -1) != MP_LUA_NIL
    mp_lua_pop(stack.call, 1)
    guard isArray else { return try members(stack, table, depth, &nodes) }
    var elements: [LuaValue] = []
    for number in 0..<(try stack.elementCount(table, patchType)) {
      if mp_lua_get_element(stack.call, table, Int64(number + 1)) == 0 { throw .noRoom }
      elements.append(try read(from: stack, at: mp_lua_top(stack.call), depth: depth + 1, nodes: &nodes))
      mp_lua_pop(stack.call, 1)
    }
    return .array(elements)
  }

  private static func members(
    _ stack: PatchStack, _ table: Int32, _ depth: Int, _ nodes: inout Int
  ) throws(PatchValueError) -> LuaValue {
    var members: [String: LuaValue] = [:]
    if mp_lua_push_nil(stack.call) == 0 { throw .noRoom }
    while mp_lua_next(stack.call, table) == 1 {
      let value = mp_lua_top(stack.call)
      let key: String
      switch mp_lua_type_of(stack.call, value - 1) {
      case MP_LUA_STRING: key = try String.read(from: stack, at: value - 1)
      case MP_LUA_INTEGER: key = "\(try Int64.read(from: stack, at: value - 1))"
      default: throw PatchValueError("a table with string keys expected, got a key that is a \(stack.kind(value - 1))")
      }
      members[key] = try read(from: stack, at: value, depth: depth + 1, nodes: &nodes)
      mp_lua_pop(stack.call, 1)
    }
    return .table(members)
  }
}

extension LuaValue {
  package init(_ json: JSONValue) {
    switch json {
    case .null: self = .null
    case .bool(let value): self = .boolean(value)
    case .unsigned(let value): self = Int64(exactly: value).map { .integer($0) } ?? .number(Double(value))
    case .negative(let value): self = .integer(value)
    case .number(let value): self = .number(value)
    case .string(let value): self = .string(value)
    case .array(let values): self = .array(values.map(LuaValue.init))
    case .object(let members): self = .table(members.mapValues(LuaValue.init))
    }
  }

  /// Bytes become a string with U+FFFD for what is no UTF-8; numbers that are none become null.
  package var json: JSONValue {
    switch self {
    case .null: .null
    case .boolean(let value): .bool(value)
    case .integer(let value): JSONValue(value)
    case .number(let value): JSONValue(value) ?? .null
    case .string(let value): .string(value)
    case .bytes(let value): .string(String(decoding: value, as: UTF8.self))
    case .array(let values): .array(values.map(\.json))
    case .table(let members): .object(members.mapValues(\.json))
    case .object(let name): .string("<\(name)>")
    }
  }
}
