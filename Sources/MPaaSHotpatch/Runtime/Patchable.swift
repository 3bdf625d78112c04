internal import CLua
internal import MPaaSLock

/// A function of the app that a hotpatch may replace.
///
///     let total = Patchable("Cart.total") { (items: [Double], rate: Double) -> Double in
///       items.reduce(0, +) * rate
///     }
///     let price = total([9.5, 3], 1.19)
///
/// A patch replaces it with `patch("Cart.total", function(items, rate) … end)`. While no patch does, a call costs one
/// atomic load more than the function itself. It may be called from any thread.
///
/// The original takes the place of Lua that fails – an error, a limit, a result of another type – and the failure is
/// reported (see `PatchRuntime`). Where the replacement had already called `ORIG`, the outcome of that is taken, so
/// that the original never runs twice for one call. An error that the original threw through Lua comes out unchanged.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
public final class Patchable<each Argument: PatchValue, Output, Failure: Error>: PatchTarget {
  package let name: String
  package let signature: SymbolList.Signature
  private let original: @Sendable (repeat each Argument) throws(Failure) -> Output
  private let bridge: ResultBridge<Output>
  private let isReplaced = AtomicFlag(false)
  private let current = Lock<Replacement?>(nil)

  /// Names a function that gives a value.
  ///
  /// - Parameters:
  ///   - name: Words with dots between them, the class first: `Cart.total`.
  ///   - registry: Where patches look for it.
  ///   - original: The function as it is in the app.
  public convenience init(
    _ name: String, in registry: PatchRegistry = .shared,
    _ original: @escaping @Sendable (repeat each Argument) throws(Failure) -> Output
  ) where Output: PatchValue {
    self.init(name, registry, original, ResultBridge())
  }

  /// Names a function that gives nothing.
  public convenience init(
    _ name: String, in registry: PatchRegistry = .shared,
    _ original: @escaping @Sendable (repeat each Argument) throws(Failure) -> Void
  ) where Output == Void {
    self.init(name, registry, original, ResultBridge(void: ()))
  }

  private init(
    _ name: String, _ registry: PatchRegistry,
    _ original: @escaping @Sendable (repeat each Argument) throws(Failure) -> Output, _ bridge: ResultBridge<Output>
  ) {
    self.name = name
    self.original = original
    self.bridge = bridge
    signature = SymbolList.Signature(
      parameterTypes((repeat (each Argument).self)), bridge.type, canThrow: Failure.self != Never.self)
    registry.add(self)
  }

  /// Calls the replacement, or the original where there is none.
  public func callAsFunction(_ argument: repeat each Argument) throws(Failure) -> Output {
    if !isReplaced.load() { return try original(repeat each argument) }
    return try callReplaced(repeat each argument)
  }

  /// Apart from the call itself, so that types which only this needs are not looked up while nothing is replaced.
  @inline(never)
  private func callReplaced(_ argument: repeat each Argument) throws(Failure) -> Output {
    guard let replacement else { return try original(repeat each argument) }
    // Nothing here is generic over the result, since each such type would be looked up at every call.
    var frame = CallFrame()
    do throws(CallFailure) {
      return try withUnsafeMutablePointer(to: &frame) { frame throws(CallFailure) in
        try run(replacement, frame, repeat each argument)
      }
    } catch {
      if let thrown = error.thrown as? Failure { throw thrown }
      if let failure = error.failure { replacement.failures.report(failure) }
    }
    if let latest = frame.latest as? Result<Output, Failure> { return try latest.get() }
    return try original(repeat each argument)
  }

  /// Gives the result of the replacement.
  private func run(
    _ replacement: Replacement, _ frame: UnsafeMutablePointer<CallFrame>, _ argument: repeat each Argument
  ) throws(CallFailure) -> Output {
    guard let stack = replacement.begin(name, frame: frame) else { throw CallFailure() }
    defer { stack.end() }
    do throws(PatchValueError) {
      repeat try (each argument).push(on: stack)
    } catch {
      throw CallFailure(error, name)
    }
    let status = mp_lua_run(stack.call, 0)
    guard status == MP_LUA_DONE else { throw CallFailure(status, stack, name) }
    do throws(PatchValueError) {
      return try bridge.read(stack)
    } catch {
      throw CallFailure(error, name)
    }
  }

  package func install(_ replacement: Replacement?) {
    let fitted = replacement?.fitted(to: signature)
    current.withLock { $0 = fitted }
    isReplaced.store(replacement != nil)
  }

  package var replacement: Replacement? { current.withLock { $0 } }

  package func callOriginal(
    _ stack: PatchStack, first: Int32, frame: UnsafeMutableRawPointer?
  ) throws -> HostResult {
    var reader = ArgumentReader(stack, first)
    let arguments = (repeat try reader.next((each Argument).self))
    let result = stack.unlocked { () -> Result<Output, Failure> in
      do throws(Failure) {
        return .success(try original(repeat each arguments))
      } catch {
        return .failure(error)
      }
    }
    frame?.assumingMemoryBound(to: CallFrame.self).pointee.latest = result
    try bridge.push(try result.get(), stack)
    return .results(1)
  }
}

/// The state of the original in a synchronous call: a `Result`, once Lua has called it.
struct CallFrame {
  var latest: Any?
}

/// The reason why a call into Lua gave nothing.
struct CallFailure: Error {
  /// An error of the app that came through.
  var thrown: (any Error)?
  /// Nil where it is reported already.
  var failure: PatchFailure?

  init() {}

  init(_ error: PatchValueError, _ name: String) {
    failure = PatchFailure(.value, error.message, symbol: name)
  }

  init(_ status: Int32, _ stack: PatchStack, _ name: String) {
    failure = PatchFailure(status: status, of: stack.call, symbol: name)
    if status == MP_LUA_FAILED { thrown = stack.error(-1) }
  }
}

/// The end of a call into Lua.
enum CallResult<Value> {
  case value(Value)
  /// An error of the app came through; the failure says the same for the case that it may not go on.
  case threw(any Error, PatchFailure)
  /// Nil where it is reported already.
  case failed(PatchFailure?)

  init(_ status: Int32, _ stack: PatchStack, _ name: String) {
    let failure = PatchFailure(status: status, of: stack.call, symbol: name)
    if status == MP_LUA_FAILED, let error = stack.error(-1) {
      self = .threw(error, failure)
    } else {
      self = .failed(failure)
    }
  }
}
