internal import CLua
import MPaaSHotpatch
internal import Synchronization

/// A function of an app that is not there: known by a list of symbols only.
///
/// Its original gives what a test says, else
/// zero, an empty text, nil.
final class HarnessTarget: PatchTarget {
  let name: String
  let signature: SymbolList.Signature
  private let original: @Sendable (String, [LuaValue]) throws -> LuaValue
  private let current = Mutex<Replacement?>(nil)

  init(
    _ name: String, _ signature: SymbolList.Signature,
    _ original: @escaping @Sendable (String, [LuaValue]) throws -> LuaValue
  ) {
    self.name = name
    self.signature = signature
    self.original = original
  }

  var replacement: Replacement? { current.withLock { $0 } }

  func install(_ replacement: Replacement?) {
    let fitted = replacement?.fitted(to: signature)
    current.withLock { $0 = fitted }
  }

  func callOriginal(_ stack: PatchStack, first: Int32, frame: UnsafeMutableRawPointer?) throws -> HostResult {
    let arguments = try stack.values(from: first)
    let result = try stack.unlocked { () throws in try original(name, arguments) }
    try result.push(on: stack)
    return .results(1)
  }

  /// Calls the replacement; where there is none, the original.
  ///
  /// - Throws: `PatchFailure`: here nothing falls back, since failures are what is looked for.
  func call(_ arguments: [LuaValue]) throws -> LuaValue {
    guard let replacement else { return try original(name, arguments) }
    guard let stack = replacement.begin(name, frame: nil) else {
      throw PatchFailure(.busy, "too many calls are under way", symbol: name)
    }
    defer { stack.end() }
    do {
      for argument in arguments { try argument.push(on: stack) }
      let status = mp_lua_run(stack.call, 0)
      guard status == MP_LUA_DONE else { throw PatchFailure(status: status, of: stack.call, symbol: name) }
      let result = try LuaValue.read(from: stack, at: 1)
      guard result.fits(signature.result) else {
        throw PatchValueError("result: \(signature.result) expected, got \(result.kind)")
      }
      return result
    } catch let error as PatchValueError {
      throw PatchFailure(.value, error.message, symbol: name)
    }
  }
}

extension PatchStack {
  /// All values from `first` to the top.
  func values(from first: Int32) throws(PatchValueError) -> [LuaValue] {
    var values: [LuaValue] = []
    for index in first..<max(first, mp_lua_top(call) + 1) { values.append(try LuaValue.read(from: self, at: index)) }
    return values
  }
}

extension LuaValue {
  /// The value that a function that does nothing gives for a type.
  static func none(of type: ValueType) -> LuaValue {
    switch type {
    case .integer: .integer(0)
    case .double, .date: .number(0)
    case .boolean: .boolean(false)
    case .string, .data: .string("")
    case .array: .array([])
    case .dictionary, .record: .table([:])
    case .void, .optional, .object, .any: .null
    }
  }

  /// Tells whether the value may be given where `type` is expected.
  func fits(_ type: ValueType) -> Bool {
    switch (type, self) {
    case (.any, _), (.void, _), (.optional, .null): true
    case (.integer, .integer), (.double, .integer), (.double, .number), (.date, .integer), (.date, .number): true
    case (.integer, .number(let value)): Int64(exactly: value) != nil
    case (.boolean, .boolean), (.string, .string), (.data, .string), (.data, .bytes): true
    case (.object, .object), (.object, .null), (.record, .table): true
    case (.array(let element), .array(let values)): values.allSatisfy { $0.fits(element) }
    case (.dictionary(let element), .table(let members)): members.values.allSatisfy { $0.fits(element) }
    // An empty table is both.
    case (.array, .table(let members)): members.isEmpty
    case (.dictionary, .array(let values)), (.record, .array(let values)): values.isEmpty
    case (.optional(let wrapped), _): fits(wrapped)
    default: false
    }
  }
}
