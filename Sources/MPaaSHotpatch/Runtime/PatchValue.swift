internal import CLua
import MPaaSSupport

/// A type whose values cross between the app and Lua.
///
/// `Int`, `Double`, `Bool`, `String`, `PatchData`, `Date`, optionals, arrays and dictionaries of them conform. Types of
/// the app conform through `PatchRecord` (values that Lua sees as tables) and `PatchObject` (objects that it only
/// holds).
public protocol PatchValue: SendableMetatype {
  /// The type's name in lists of symbols.
  static var patchType: PatchType { get }
  /// Gives the value to Lua.
  func push(on stack: PatchStack) throws(PatchValueError)
  /// Takes the value that Lua gave.
  static func read(from stack: PatchStack, at index: Int32) throws(PatchValueError) -> Self
}

/// The type of a value that crosses between the app and Lua.
public struct PatchType: Sendable, Hashable {
  package let value: ValueType

  package init(_ value: ValueType) {
    self.value = value
  }

  /// A `Codable` value, a table in Lua.
  public static func record(_ name: String) -> PatchType { PatchType(.record(name)) }
  /// An object of the app.
  public static func object(_ name: String) -> PatchType { PatchType(.object(name)) }
}

extension PatchValueError {
  static func wrongType(_ expected: PatchType, _ stack: PatchStack, _ index: Int32) -> PatchValueError {
    PatchValueError("\(expected.value) expected, got \(stack.kind(index))")
  }
}

extension Int: PatchValue {
  /// The type of integers.
  public static var patchType: PatchType { PatchType(.integer) }

  /// Gives the number to Lua as an integer of 64 bits.
  ///
  /// - Throws: `PatchValueError` where Lua has no memory for it.
  public func push(on stack: PatchStack) throws(PatchValueError) {
    if mp_lua_push_integer(stack.call, Int64(self)) == 0 { throw .noRoom }
  }

  /// Takes an integer from Lua.
  ///
  /// - Throws: `PatchValueError` where the value is not an integer, or does not fit into `Int`.
  public static func read(from stack: PatchStack, at index: Int32) throws(PatchValueError) -> Int {
    var value: Int64 = 0
    guard mp_lua_get_integer(stack.call, index, &value) == 1, let value = Int(exactly: value) else {
      throw .wrongType(patchType, stack, index)
    }
    return value
  }
}

/// The other widths go through `Int`, and must fit.
extension PatchValue where Self: FixedWidthInteger {
  /// The type of integers.
  public static var patchType: PatchType { PatchType(.integer) }

  /// Gives the number to Lua as an integer of 64 bits.
  ///
  /// - Throws: `PatchValueError` where the number does not fit into `Int64`, or Lua has no memory for it.
  public func push(on stack: PatchStack) throws(PatchValueError) {
    guard let value = Int64(exactly: self) else { throw PatchValueError("\(self) is too large for Lua") }
    if mp_lua_push_integer(stack.call, value) == 0 { throw .noRoom }
  }

  /// Takes an integer from Lua.
  ///
  /// - Throws: `PatchValueError` where the value is not an integer, or does not fit into the type.
  public static func read(from stack: PatchStack, at index: Int32) throws(PatchValueError) -> Self {
    var value: Int64 = 0
    guard mp_lua_get_integer(stack.call, index, &value) == 1 else { throw .wrongType(patchType, stack, index) }
    guard let fitting = Self(exactly: value) else { throw PatchValueError("\(value) does not fit into \(Self.self)") }
    return fitting
  }
}

extension Int8: PatchValue {}
extension Int16: PatchValue {}
extension Int32: PatchValue {}
extension Int64: PatchValue {}
extension UInt: PatchValue {}
extension UInt8: PatchValue {}
extension UInt16: PatchValue {}
extension UInt32: PatchValue {}
extension UInt64: PatchValue {}

extension Double: PatchValue {
  /// The type of floating-point numbers.
  public static var patchType: PatchType { PatchType(.double) }

  /// Gives the number to Lua.
  ///
  /// - Throws: `PatchValueError` where Lua has no memory for it.
  public func push(on stack: PatchStack) throws(PatchValueError) {
    if mp_lua_push_number(stack.call, self) == 0 { throw .noRoom }
  }

  /// Takes a number from Lua.
  ///
  /// - Throws: `PatchValueError` where the value is not a number.
  public static func read(from stack: PatchStack, at index: Int32) throws(PatchValueError) -> Double {
    var value = 0.0
    guard mp_lua_get_number(stack.call, index, &value) == 1 else { throw .wrongType(patchType, stack, index) }
    return value
  }
}

extension Float: PatchValue {
  /// The type of floating-point numbers.
  public static var patchType: PatchType { PatchType(.double) }

  /// Gives the number to Lua, in double precision.
  ///
  /// - Throws: `PatchValueError` where Lua has no memory for it.
  public func push(on stack: PatchStack) throws(PatchValueError) { try Double(self).push(on: stack) }

  /// Takes a number from Lua, rounded to single precision.
  ///
  /// - Throws: `PatchValueError` where the value is not a number.
  public static func read(from stack: PatchStack, at index: Int32) throws(PatchValueError) -> Float {
    Float(try Double.read(from: stack, at: index))
  }
}

extension Bool: PatchValue {
  /// The type of truth values.
  public static var patchType: PatchType { PatchType(.boolean) }

  /// Gives the truth value to Lua.
  ///
  /// - Throws: `PatchValueError` where Lua has no memory for it.
  public func push(on stack: PatchStack) throws(PatchValueError) {
    if mp_lua_push_boolean(stack.call, self ? 1 : 0) == 0 { throw .noRoom }
  }

  /// Takes a truth value from Lua.
  ///
  /// - Throws: `PatchValueError` where the value is not `true` or `false`.
  public static func read(from stack: PatchStack, at index: Int32) throws(PatchValueError) -> Bool {
    guard mp_lua_type_of(stack.call, index) == MP_LUA_BOOLEAN else { throw .wrongType(patchType, stack, index) }
    return mp_lua_get_boolean(stack.call, index) == 1
  }
}

extension String: PatchValue {
  /// The type of texts.
  public static var patchType: PatchType { PatchType(.string) }

  /// Gives the text to Lua as a string of UTF-8.
  ///
  /// - Throws: `PatchValueError` where Lua has no memory for it.
  public func push(on stack: PatchStack) throws(PatchValueError) {
    var text = self
    let isPushed = text.withUTF8 { mp_lua_push_string(stack.call, $0.baseAddress, UInt($0.count)) }
    if isPushed == 0 { throw .noRoom }
  }

  /// - Throws: Where the bytes are no UTF-8, too.
  public static func read(from stack: PatchStack, at index: Int32) throws(PatchValueError) -> String {
    let bytes = try stack.bytes(index, as: patchType)
    guard let text = String(validUTF8: bytes.assumingMemoryBound(to: UInt8.self)) else {
      throw PatchValueError("a string that is UTF-8 expected")
    }
    return text
  }
}

extension Optional: PatchValue where Wrapped: PatchValue {
  /// The type of values that may be nil.
  public static var patchType: PatchType { PatchType(.optional(Wrapped.patchType.value)) }

  /// Gives the value to Lua, or nil.
  ///
  /// - Throws: `PatchValueError` where the value cannot be given, or Lua has no memory for it.
  public func push(on stack: PatchStack) throws(PatchValueError) {
    if let self {
      try self.push(on: stack)
    } else if mp_lua_push_nil(stack.call) == 0 {
      throw .noRoom
    }
  }

  /// Takes a value from Lua; nil for nil and for an argument that is missing.
  ///
  /// - Throws: `PatchValueError` where the value is of another type.
  public static func read(from stack: PatchStack, at index: Int32) throws(PatchValueError) -> Wrapped? {
    mp_lua_type_of(stack.call, index) <= MP_LUA_NIL ? nil : try Wrapped.read(from: stack, at: index)
  }
}

extension PatchStack {
  /// The bytes of the string at `index`, valid while it stands there.
  func bytes(_ index: Int32, as type: PatchType) throws(PatchValueError) -> UnsafeRawBufferPointer {
    var length: UInt = 0
    guard let start = mp_lua_get_string(call, index, &length) else { throw .wrongType(type, self, index) }
    return UnsafeRawBufferPointer(start: start, count: Int(length))
  }
}
