internal import CLua

/// The values on their way between the app and Lua, for the length of one call.
public struct PatchStack {
  package let call: OpaquePointer
  package let state: PatchState

  package init(_ call: OpaquePointer, _ state: PatchState) {
    self.call = call
    self.state = state
  }

  /// Ends the call and lets go of the objects that Lua holds no more.
  package func end() {
    var released = mp_lua_end(call)
    if released != nil { PatchState.release(&released) }
  }

  /// Runs the app's own code, during which other threads may run Lua.
  package func unlocked<Value, Failure: Error>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
    mp_lua_unlock(call)
    defer { mp_lua_lock(call) }
    return try body()
  }

  /// Raises `error` in Lua: what is wrong with a value as a text, an error of the app as itself.
  func push(error: any Error) {
    if let error = error as? PatchValueError {
      let text = error.message
      push(text: text)
    } else {
      let box = ErrorBox(error)
      state.define(ErrorBox.type)
      if !push(object: box, type: ErrorBox.type, text: "\(error)") { mp_lua_push_nil(call) }
    }
  }

  func push(text: String) {
    var text = text
    if text.withUTF8({ mp_lua_push_string(call, $0.baseAddress, UInt($0.count)) }) == 0 { mp_lua_push_nil(call) }
  }

  /// Hands an object to Lua, which holds it until it forgets it.
  func push(object: AnyObject, type: ObjectType, text: String?) -> Bool {
    let held = Unmanaged.passRetained(object)
    var words = text ?? ""
    let isPushed = words.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        mp_lua_push_object(call, held.toOpaque(), type.id, text == nil ? nil : $0.baseAddress, UInt(bytes.count))
      }
    }
    if isPushed == 0 { held.release() }
    return isPushed == 1
  }

  func object(_ index: Int32) -> (object: AnyObject, type: Int32)? {
    var type: Int32 = 0
    guard let pointer = mp_lua_get_object(call, index, &type) else { return nil }
    return (Unmanaged<AnyObject>.fromOpaque(pointer).takeUnretainedValue(), type)
  }

  /// The error of the app that Lua let pass, where the value at `index` is one.
  func error(_ index: Int32) -> (any Error)? {
    object(index).flatMap { $0.type == ErrorBox.type.id ? ($0.object as? ErrorBox)?.error : nil }
  }

  package func text(_ index: Int32) throws(PatchValueError) -> String { try String.read(from: self, at: index) }

  func pushInteger(_ value: Int64) throws(PatchValueError) {
    if mp_lua_push_integer(call, value) == 0 { throw .noRoom }
  }

  /// The kind of the value at `index`, in a word for error texts.
  func kind(_ index: Int32) -> String {
    switch mp_lua_type_of(call, index) {
    case MP_LUA_BOOLEAN: "boolean"
    case MP_LUA_INTEGER: "integer"
    case MP_LUA_NUMBER: "number"
    case MP_LUA_STRING: "string"
    case MP_LUA_TABLE: "table"
    case MP_LUA_OBJECT: "object"
    case MP_LUA_FUNCTION: "function"
    default: "nil"
    }
  }
}

/// A value that is not of the type that was asked for, or for which there is no room.
public struct PatchValueError: Error, Sendable, Equatable {
  /// The text of the error in English: `int expected, got string`.
  public let message: String

  package init(_ message: String) {
    self.message = message
  }

  static let noRoom = PatchValueError("not enough memory for the value")
}

/// An error of the app while it goes through Lua.
final class ErrorBox {
  let error: any Error

  init(_ error: any Error) {
    self.error = error
  }

  static let type = ObjectType(id: 0, name: "error", methods: [])
}
