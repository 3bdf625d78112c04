internal import CLua
internal import MPaaSLock

/// The functions that an app offers to patches: those that may be replaced, and functions that a patch may call.
///
/// `Patchable` and `AsyncPatchable` enter themselves when they are made. Since Swift makes global constants when they
/// are first used, a patch may come earlier: it then waits, and is in place at the first call. Only functions that are
/// entered when a patch is loaded can be checked; `PatchRuntime.awaitedSymbols` names the others.
public final class PatchRegistry: Sendable {
  /// The registry of the app.
  public static let shared = PatchRegistry()

  struct Export: Sendable {
    let signature: SymbolList.Signature
    let body: @Sendable (PatchStack, Int32) throws -> HostResult
  }

  private struct Content {
    var targets: [String: any PatchTarget] = [:]
    var exports: [String: Export] = [:]
    var types: [String: ObjectType] = [:]
    var awaited: [String: AwaitedTarget] = [:]
  }

  private let content = Lock<Content>(Content())
  private let isComplete: Bool

  /// An empty registry, for tests and for parts of an app that keep to themselves.
  ///
  /// - Parameter isComplete: Whether a patch that names a function that is not there yet is refused.
  public init(isComplete: Bool = false) {
    self.isComplete = isComplete
  }

  package func add(_ target: any PatchTarget) {
    let awaited = content.withLock { content in
      content.targets[target.name] = target
      return content.awaited.removeValue(forKey: target.name)
    }
    awaited?.arrive(target)
  }

  package func target(_ name: String) -> (any PatchTarget)? {
    content.withLock { $0.targets[name] }
  }

  /// The function of this name, or what takes its place until it is there.
  func targetOrAwaited(_ name: String) -> (any PatchTarget)? {
    content.withLock { content in
      if let target = content.targets[name] { return target }
      guard !isComplete, SymbolList.isName(name) else { return nil }
      if let awaited = content.awaited[name] { return awaited }
      let awaited = AwaitedTarget(name)
      content.awaited[name] = awaited
      return awaited
    }
  }

  var exports: [String: Export] { content.withLock { $0.exports } }

  /// Makes the methods of a type known, for the list of symbols; patches know them without.
  public func add<Object: PatchObject>(_ type: Object.Type) {
    let type = ObjectType.of(type)
    content.withLock { $0.types[type.name] = type }
  }

  /// Makes a function callable by patches under a dotted name: `Analytics.track`.
  ///
  /// Patches that are loaded already do not see it.
  public func export<each Argument: PatchValue, Output: PatchValue>(
    _ name: String, _ body: @escaping @Sendable (repeat each Argument) throws -> Output
  ) {
    add(name, parameterTypes((repeat (each Argument).self)), Output.patchType.value) { stack, first in
      var reader = ArgumentReader(stack, first)
      let arguments = (repeat try reader.next((each Argument).self))
      let result = try stack.unlocked { () throws in try body(repeat each arguments) }
      try result.push(on: stack)
      return .results(1)
    }
  }

  /// Makes a function callable that gives nothing.
  public func export<each Argument: PatchValue>(
    _ name: String, _ body: @escaping @Sendable (repeat each Argument) throws -> Void
  ) {
    add(name, parameterTypes((repeat (each Argument).self)), .void) { stack, first in
      var reader = ArgumentReader(stack, first)
      let arguments = (repeat try reader.next((each Argument).self))
      try stack.unlocked { () throws in try body(repeat each arguments) }
      return .results(0)
    }
  }

  /// Makes an asynchronous function callable by replacements of asynchronous functions.
  public func export<each Argument: PatchValue & Sendable, Output: PatchValue & Sendable>(
    _ name: String, _ body: @escaping @Sendable (repeat each Argument) async throws -> Output
  ) {
    add(name, parameterTypes((repeat (each Argument).self)), Output.patchType.value, isAsync: true) { stack, first in
      var reader = ArgumentReader(stack, first)
      let arguments = (repeat try reader.next((each Argument).self))
      return try stack.suspend { _ in
        do {
          let result = try await body(repeat each arguments)
          return { stack in try result.push(on: stack) }
        } catch {
          return { _ in throw error }
        }
      }
    }
  }

  /// Enters a function that is not known by its Swift type.
  package func add(
    _ name: String, _ parameters: [ValueType], _ result: ValueType, isAsync: Bool = false,
    _ body: @escaping @Sendable (PatchStack, Int32) throws -> HostResult
  ) {
    let signature = SymbolList.Signature(parameters, result, isAsync: isAsync, canThrow: true)
    content.withLock { $0.exports[name] = Export(signature: signature, body: body) }
  }

  /// The file that `mpaas hotpatch lint --symbols` reads: all that is entered by now, as JSON on one line.
  ///
  /// - Parameters:
  ///   - app: The app's bundle identifier or key.
  ///   - version: The app's version, `8.1.0`.
  public func symbolListFile(app: String, version: String) -> String {
    String(decoding: symbolList(app: app, version: version).encoded, as: UTF8.self)
  }

  /// The symbols that lint and the build check patches against.
  package func symbolList(app: String, version: String) -> SymbolList {
    content.withLock { content in
      SymbolList(
        app: app, version: version, functions: content.targets.mapValues(\.signature),
        exports: content.exports.mapValues(\.signature),
        types: content.types.mapValues { type in
          Dictionary(type.methods.map { ($0.name, $0.signature) }) { $1 }
        })
    }
  }
}
