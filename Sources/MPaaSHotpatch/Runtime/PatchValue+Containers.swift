internal import CLua

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A table with the elements at 1…; where an element is nil, the length stands in the field `n`, as `table.pack` has
/// it.
extension Array: PatchValue where Element: PatchValue {
  /// The type of a list of the elements' type.
  public static var patchType: PatchType { PatchType(.array(Element.patchType.value)) }

  /// Gives the elements to Lua as a table, the first at index 1.
  ///
  /// - Throws: `PatchValueError` where an element cannot be given, or Lua has no memory for them.
  public func push(on stack: PatchStack) throws(PatchValueError) {
    if mp_lua_push_table(stack.call, count, 0) == 0 { throw .noRoom }
    var hasNil = false
    for (index, element) in enumerated() {
      try element.push(on: stack)
      hasNil = hasNil || mp_lua_type_of(stack.call, -1) == MP_LUA_NIL
      if mp_lua_set_element(stack.call, Int64(index + 1)) == 0 { throw .noRoom }
    }
    if hasNil {
      try count.push(on: stack)
      if mp_lua_set_member(stack.call, "n", 1) == 0 { throw .noRoom }
    }
  }

  /// Takes the elements at 1… of a table, as many as the field `n` or the table's length says.
  ///
  /// - Throws: `PatchValueError` where the value is not a table, an element is of another type, or there are too many.
  public static func read(from stack: PatchStack, at index: Int32) throws(PatchValueError) -> [Element] {
    let table = stack.absolute(index)
    let count = try stack.elementCount(table, patchType)
    var elements: [Element] = []
    elements.reserveCapacity(count)
    for number in 0..<count {
      if mp_lua_get_element(stack.call, table, Int64(number + 1)) == 0 { throw .noRoom }
      defer { mp_lua_pop(stack.call, 1) }
      do {
        elements.append(try Element.read(from: stack, at: -1))
      } catch {
        throw PatchValueError("[\(number + 1)]: \(error.message)")
      }
    }
    return elements
  }
}

extension Dictionary: PatchValue where Key == String, Value: PatchValue {
  /// The type of a table that has texts for keys and values of the values' type.
  public static var patchType: PatchType { PatchType(.dictionary(Value.patchType.value)) }

  /// Gives the members to Lua as a table.
  ///
  /// - Throws: `PatchValueError` where a value cannot be given, or Lua has no memory for them.
  public func push(on stack: PatchStack) throws(PatchValueError) {
    if mp_lua_push_table(stack.call, 0, count) == 0 { throw .noRoom }
    for (key, value) in self {
      try value.push(on: stack)
      var key = key
      if key.withUTF8({ mp_lua_set_member(stack.call, $0.baseAddress, UInt($0.count)) }) == 0 { throw .noRoom }
    }
  }

  /// Takes the members of a table.
  ///
  /// - Throws: `PatchValueError` where the value is not a table, or a key or a value is of another type.
  public static func read(from stack: PatchStack, at index: Int32) throws(PatchValueError) -> [String: Value] {
    let table = stack.absolute(index)
    guard mp_lua_type_of(stack.call, table) == MP_LUA_TABLE else { throw .wrongType(patchType, stack, table) }
    var values: [String: Value] = [:]
    if mp_lua_push_nil(stack.call) == 0 { throw .noRoom }
    while mp_lua_next(stack.call, table) == 1 {
      let key = try String.read(from: stack, at: -2)
      do {
        values[key] = try Value.read(from: stack, at: -1)
      } catch {
        throw PatchValueError("\(key): \(error.message)")
      }
      mp_lua_pop(stack.call, 1)
    }
    return values
  }
}

/// A string of Lua with these bytes.
extension Data: PatchValue {
  /// The type of bytes.
  public static var patchType: PatchType { PatchType(.data) }

  /// Gives the bytes to Lua as a string.
  ///
  /// - Throws: `PatchValueError` where Lua has no memory for them.
  public func push(on stack: PatchStack) throws(PatchValueError) {
    let isPushed = withUnsafeBytes { mp_lua_push_string(stack.call, $0.baseAddress, UInt($0.count)) }
    if isPushed == 0 { throw .noRoom }
  }

  /// Takes the bytes of a string.
  ///
  /// - Throws: `PatchValueError` where the value is not a string.
  public static func read(from stack: PatchStack, at index: Int32) throws(PatchValueError) -> Data {
    Data(try stack.bytes(index, as: patchType))
  }
}

/// A number: seconds since 1970.
extension Date: PatchValue {
  /// The type of dates.
  public static var patchType: PatchType { PatchType(.date) }

  /// Gives the date to Lua as seconds since 1970, with a fraction.
  ///
  /// - Throws: `PatchValueError` where Lua has no memory for it.
  public func push(on stack: PatchStack) throws(PatchValueError) { try timeIntervalSince1970.push(on: stack) }

  /// Takes a number as seconds since 1970.
  ///
  /// - Throws: `PatchValueError` where the value is not a number.
  public static func read(from stack: PatchStack, at index: Int32) throws(PatchValueError) -> Date {
    Date(timeIntervalSince1970: try Double.read(from: stack, at: index))
  }
}

extension PatchStack {
  /// The index counted from the bottom, which stays when more is pushed.
  func absolute(_ index: Int32) -> Int32 { index > 0 ? index : mp_lua_top(call) + index + 1 }

  /// The number of elements of the array at `table` has: its field `n`, or its length.
  func elementCount(_ table: Int32, _ type: PatchType) throws(PatchValueError) -> Int {
    guard mp_lua_type_of(call, table) == MP_LUA_TABLE, mp_lua_get_member(call, table, "n", 1) == 1 else {
      throw .wrongType(type, self, table)
    }
    var named: Int64 = 0
    let isNamed = mp_lua_get_integer(call, -1, &named) == 1
    mp_lua_pop(call, 1)
    let count = isNamed ? named : Int64(clamping: mp_lua_length(call, table))
    // Any table of so many elements is within the limit of memory, but for nils.
    guard count >= 0, count <= Int64(state.limits.memory) / 8 else {
      throw PatchValueError("\(count) elements are too many")
    }
    return Int(count)
  }
}
