internal import CLua
internal import MPaaSLock

/// The Lua state of one patch, with the functions of the app that it may call.
///
/// Calls come from any thread: each has a coroutine of its own, and the state's lock is held while Lua runs, not while
/// the app's functions do.
///
/// `@unchecked Sendable`: `functions`, `targets`, `defined`, `requests` and `isLoading` are touched only while the lock
/// of the state is held, or before the state is shared.
package final class PatchState: @unchecked Sendable {
  /// Does what Lua called it for: reads arguments from `first` on and pushes results.
  package typealias HostFunction = (_ stack: PatchStack, _ first: Int32) throws -> HostResult

  package let handle: OpaquePointer
  let limits: PatchLimits
  private var functions: [HostFunction] = []
  private var targets: [any PatchTarget] = []
  private var defined: Set<Int32> = []
  /// The replacements that the patch asked for while it was loaded.
  private(set) var requests: [ReplacementRequest] = []
  private var isLoading = true
  private let find: (String) -> (any PatchTarget)?
  private let log: @Sendable (PatchLogLine) -> Void
  let failures = AtomicInteger(0)
  let calls = AtomicInteger(0)

  struct ReplacementRequest {
    let target: any PatchTarget
    let symbol: Int64
    let function: Int32
    let receiver: Int32
  }

  /// - Parameters:
  ///   - name: Stands in crash reports.
  ///   - find: The function of the app with a name.
  package init(
    name: String, limits: PatchLimits, find: @escaping (String) -> (any PatchTarget)?,
    log: @escaping @Sendable (PatchLogLine) -> Void
  ) throws(PatchFailure) {
    self.limits = limits
    self.find = find
    self.log = log
    var values = limits.values
    // The context is set below: `self` is not there yet.
    guard let made = mp_lua_create(&values, answerLua) else {
      throw PatchFailure(.memory, "no memory for a patch")
    }
    handle = made
    mp_lua_set_context(made, Unmanaged.passUnretained(self).toOpaque())
    mp_lua_set_name(made, name)
  }

  deinit {
    var released = mp_lua_destroy(handle)
    Self.release(&released)
  }

  static func release(_ list: inout UnsafeMutableRawPointer?) {
    while let object = mp_lua_released(&list) { Unmanaged<AnyObject>.fromOpaque(object).release() }
  }

  // MARK: Before the state is shared

  /// Makes a function of the app callable by a dotted name.
  package func export(_ name: String, _ function: @escaping HostFunction) throws(PatchFailure) {
    functions.append(function)
    guard mp_lua_define(handle, name, Int64(functions.count - 1)) == 1 else {
      throw PatchFailure(.files, "the name \(name) is taken in Lua")
    }
  }

  /// Compiles a file of the patch.
  package func add(_ text: String, as module: String, path: String) throws(PatchFailure) {
    var text = text
    var message = [CChar](repeating: 0, count: 512)
    let status = text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        mp_lua_add(handle, module, path, $0.baseAddress, UInt(bytes.count), &message, UInt(message.count))
      }
    }
    guard status != MP_LUA_DONE else { return }
    let words = String(decoding: message.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    throw PatchFailure(.init(status: status), words)
  }

  /// Runs a file; `patch` and `waxClass` note what is to be replaced.
  package func load(_ module: String) throws(PatchFailure) {
    guard let call = mp_lua_begin_module(handle, module) else {
      throw PatchFailure(.files, "no file \(module).lua")
    }
    let stack = PatchStack(call, self)
    let status = mp_lua_run(call, 0)
    let failure = status == MP_LUA_DONE ? nil : PatchFailure(status: status, of: call, symbol: nil)
    stack.end()
    if let failure { throw failure }
  }

  func finishLoading() { isLoading = false }

  // MARK: What Lua asks for; the lock is held

  fileprivate func answer(_ call: OpaquePointer, _ function: Int64) -> Int32 {
    let stack = PatchStack(call, self)
    do {
      switch try perform(function, stack) {
      case .results(let count): return count
      case .suspended: return MP_LUA_SUSPEND
      }
    } catch {
      stack.push(error: error)
      return MP_LUA_RAISE
    }
  }

  private func perform(_ function: Int64, _ stack: PatchStack) throws -> HostResult {
    switch function {
    case Int64(MP_LUA_ORIGINAL):
      let symbol = mp_lua_symbol(stack.call)
      guard symbol >= 0, symbol < targets.count else { throw PatchValueError("ORIG is only for replaced functions") }
      return try targets[Int(symbol)].callOriginal(stack, first: 1, frame: mp_lua_frame(stack.call))
    case Int64(MP_LUA_LOG):
      let line = try PatchLogLine(
        text: stack.text(1), file: stack.text(2), line: Int(Int64.read(from: stack, at: 3)))
      stack.unlocked { log(line) }
      return .results(0)
    case Int64(MP_LUA_PATCH):
      try request(stack.text(1), Int32.read(from: stack, at: 2), Int32.read(from: stack, at: 3))
      return .results(0)
    case Int64(MP_LUA_ORIGINAL_OF):
      try stack.pushInteger(original(stack.text(1)))
      return .results(1)
    default:
      guard function >= 0, function < functions.count else { throw PatchValueError("no such function") }
      return try functions[Int(function)](stack, 1)
    }
  }

  private func request(_ name: String, _ function: Int32, _ receiver: Int32) throws {
    guard isLoading else { throw PatchValueError("functions are replaced while the patch is loaded, not later") }
    let (target, symbol) = try self.target(name)
    requests.removeAll { $0.symbol == symbol }
    requests.append(ReplacementRequest(target: target, symbol: symbol, function: function, receiver: receiver))
  }

  private func target(_ name: String) throws -> (any PatchTarget, Int64) {
    if let index = targets.firstIndex(where: { $0.name == name }) { return (targets[index], Int64(index)) }
    guard let target = find(name) else {
      throw PatchValueError("the app has no function '\(name)' that may be replaced")
    }
    targets.append(target)
    return (target, Int64(targets.count - 1))
  }

  /// The id of a function that calls the original of `name`, `self` first where the class is its first argument.
  private func original(_ name: String) throws -> Int64 {
    let (target, symbol) = try self.target(name)
    functions.append { stack, _ in
      let isMethod = if case .object = target.signature.parameters.first { true } else { false }
      let isOwn = mp_lua_symbol(stack.call) == symbol
      return try target.callOriginal(stack, first: isMethod ? 1 : 2, frame: isOwn ? mp_lua_frame(stack.call) : nil)
    }
    return Int64(functions.count - 1)
  }

  /// Makes a type of objects known to Lua, once.
  func define(_ type: ObjectType) {
    guard defined.insert(type.id).inserted else { return }
    mp_lua_define_type(handle, type.id, type.name)
    for method in type.methods {
      functions.append(method.body)
      mp_lua_define_method(handle, type.id, method.name, Int64(functions.count - 1))
    }
  }
}

/// The result of a function of the app that Lua called.
package enum HostResult {
  /// So many results were pushed.
  case results(Int32)
  /// The frame's `pending` is to be awaited.
  case suspended
}

/// A line that a patch wrote with `log` or `print`.
public struct PatchLogLine: Sendable, Equatable {
  /// The text of the line.
  public let text: String
  /// The file of the patch, empty where it is not known.
  public let file: String
  /// From 1; 0 where it is not known.
  public let line: Int
}

private func answerLua(
  _ context: UnsafeMutableRawPointer?, _ call: OpaquePointer?, _ function: Int64, _ arguments: Int32
) -> Int32 {
  guard let context, let call else { return 0 }
  return Unmanaged<PatchState>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.answer(call, function) }
}
