internal import CLua

/// The way of a function's result into Lua and back; `Void` is no `PatchValue`.
struct ResultBridge<Value>: Sendable {
  let type: ValueType
  let push: @Sendable (Value, PatchStack) throws(PatchValueError) -> Void
  let read: @Sendable (PatchStack) throws(PatchValueError) -> Value
}

extension ResultBridge where Value: PatchValue {
  init() {
    type = Value.patchType.value
    push = { value, stack throws(PatchValueError) in try value.push(on: stack) }
    read = { stack throws(PatchValueError) in
      do throws(PatchValueError) {
        return try Value.read(from: stack, at: 1)
      } catch {
        throw PatchValueError("result: \(error.message)")
      }
    }
  }
}

extension ResultBridge<Void> {
  init(void: Void) {
    type = .void
    push = { _, stack throws(PatchValueError) in
      if mp_lua_push_nil(stack.call) == 0 { throw .noRoom }
    }
    read = { _ in }
  }
}
