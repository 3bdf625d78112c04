internal import CLua
internal import MPaaSLock

/// An asynchronous function of the app that a hotpatch may replace.
///
///     let load = AsyncPatchable("Catalogue.load") { (id: String) async throws -> [Double] in … }
///     let prices = try await load("shoes")
///
/// In Lua it is a function as any other: `ORIG(id)` gives the result when it is there, and no thread waits meanwhile.
/// All else is as with `Patchable`.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
public final class AsyncPatchable<each Argument: PatchValue & Sendable, Output: Sendable, Failure: Error>: PatchTarget {
  package let name: String
  package let signature: SymbolList.Signature
  private let original: @Sendable (repeat each Argument) async throws(Failure) -> Output
  private let bridge: ResultBridge<Output>
  private let isReplaced = AtomicFlag(false)
  private let current = Lock<Replacement?>(nil)

  /// Names a function that gives a value.
  public convenience init(
    _ name: String, in registry: PatchRegistry = .shared,
    _ original: @escaping @Sendable (repeat each Argument) async throws(Failure) -> Output
  ) where Output: PatchValue {
    self.init(name, registry, original, ResultBridge())
  }

  /// Names a function that gives nothing.
  public convenience init(
    _ name: String, in registry: PatchRegistry = .shared,
    _ original: @escaping @Sendable (repeat each Argument) async throws(Failure) -> Void
  ) where Output == Void {
    self.init(name, registry, original, ResultBridge(void: ()))
  }

  private init(
    _ name: String, _ registry: PatchRegistry,
    _ original: @escaping @Sendable (repeat each Argument) async throws(Failure) -> Output,
    _ bridge: ResultBridge<Output>
  ) {
    self.name = name
    self.original = original
    self.bridge = bridge
    signature = SymbolList.Signature(
      parameterTypes((repeat (each Argument).self)), bridge.type, isAsync: true, canThrow: Failure.self != Never.self)
    registry.add(self)
  }

  /// Calls the replacement, or the original where there is none.
  public func callAsFunction(_ argument: repeat each Argument) async throws(Failure) -> Output {
    guard isReplaced.load(), let replacement else {
      return try await original(repeat each argument)
    }
    let frame = AsyncFrame()
    switch await run(replacement, frame, repeat each argument) {
    case .value(let value): return value
    case .threw(let error, let failure):
      if let error = error as? Failure { throw error }
      replacement.failures.report(failure)
    case .failed(let failure):
      if let failure { replacement.failures.report(failure) }
    }
    if let latest = frame.latest as? Result<Output, Failure> { return try latest.get() }
    return try await original(repeat each argument)
  }

  private func run(
    _ replacement: Replacement, _ frame: AsyncFrame, _ argument: repeat each Argument
  ) async -> CallResult<Output> {
    guard let stack = replacement.begin(name, frame: Unmanaged.passUnretained(frame).toOpaque()) else {
      return .failed(nil)
    }
    var status: Int32 = MP_LUA_FAILED
    do throws(PatchValueError) {
      repeat try (each argument).push(on: stack)
      status = mp_lua_resume(stack.call, 0, 0)
    } catch {
      stack.end()
      return .failed(PatchFailure(.value, error.message, symbol: name))
    }
    while status == MP_LUA_SUSPENDED, let pending = frame.takePending() {
      mp_lua_unlock(stack.call)
      let push = await pending()
      mp_lua_lock(stack.call)
      status = stack.resume(with: push)
    }
    defer { stack.end() }
    guard status == MP_LUA_DONE else { return .init(status, stack, name) }
    do throws(PatchValueError) {
      return .value(try bridge.read(stack))
    } catch {
      return .failed(PatchFailure(.value, error.message, symbol: name))
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
    let isOwn = frame != nil
    let (original, bridge) = (original, bridge)
    return try stack.suspend { frame in
      let result: Result<Output, Failure>
      do throws(Failure) {
        result = .success(try await original(repeat each arguments))
      } catch {
        result = .failure(error)
      }
      if isOwn { frame.latest = result }
      return { stack in try bridge.push(try result.get(), stack) }
    }
  }
}

/// The state of an asynchronous call: what Lua waits for, and the outcome of the original.
///
/// `@unchecked Sendable`: only the task of the call touches it, and Lua while that task runs it.
final class AsyncFrame: @unchecked Sendable {
  typealias Push = (PatchStack) throws -> Void

  var latest: Any?
  fileprivate var pending: ((AsyncFrame) async -> Push)?

  func takePending() -> (() async -> Push)? {
    guard let pending else { return nil }
    self.pending = nil
    return { await pending(self) }
  }
}

extension PatchStack {
  /// Lets the call wait for `work`, whose result is pushed by what it gives.
  func suspend(_ work: @escaping (AsyncFrame) async -> AsyncFrame.Push) throws(PatchValueError) -> HostResult {
    guard mp_lua_is_suspendable(call) == 1, let frame = mp_lua_frame(call) else {
      throw PatchValueError("an asynchronous function can be called by the replacement of another one only")
    }
    Unmanaged<AsyncFrame>.fromOpaque(frame).takeUnretainedValue().pending = work
    return .suspended
  }

  /// Goes on with what a suspended call waited for.
  func resume(with push: AsyncFrame.Push) -> Int32 {
    do {
      try push(self)
      return mp_lua_resume(call, 1, 0)
    } catch {
      self.push(error: error)
      return mp_lua_resume(call, 1, 1)
    }
  }
}
