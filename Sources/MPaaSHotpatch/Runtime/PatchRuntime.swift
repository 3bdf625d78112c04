internal import CLua
internal import MPaaSLock

/// A patch that is loaded: the Lua files of a verified bundle, and the functions of the app that they replace.
///
///     let runtime = try PatchRuntime(name: "checkout-fix 3", files: ["main.lua": text])
///
/// Loading runs `main.lua` (or the only Lua file there is) and puts all replacements in place, or none where anything
/// fails. They stay until `unload()`, or until the last reference to the runtime is gone. Each runtime has a Lua state
/// of its own, so patches share nothing; of two that replace the same function the later one counts.
///
/// Calls may come from any thread. Lua runs on the thread of the call, one call at a time for each patch; the app's own
/// functions, `ORIG` included, run without the lock.
public final class PatchRuntime: Sendable {
  /// The way patches are run.
  public struct Configuration: Sendable {
    /// The limits of instructions, time and memory.
    public var limits: PatchLimits
    /// After so many failures the patch is taken out; nil for never.
    public var maximumFailures: Int?
    /// Gets what patches write with `log` and `print`, on the thread of the call.
    public var log: (@Sendable (PatchLogLine) -> Void)?
    /// Gets each failure, on the thread of the call, before the original takes over.
    public var report: (@Sendable (PatchFailure) -> Void)?
    /// Gets the Lua state before anything runs in it: what a patch used that does not load is asked there.
    package var begins: (@Sendable (PatchState) -> Void)?

    /// Sets everything.
    public init(
      limits: PatchLimits = PatchLimits(), maximumFailures: Int? = nil,
      log: (@Sendable (PatchLogLine) -> Void)? = nil, report: (@Sendable (PatchFailure) -> Void)? = nil
    ) {
      self.limits = limits
      self.maximumFailures = maximumFailures
      self.log = log
      self.report = report
    }
  }

  /// As it was given, for reports.
  public let name: String
  /// The functions that are replaced, sorted.
  public let symbols: [String]
  let state: PatchState
  private let failures: PatchFailures
  private let installed: Lock<[any PatchTarget]>

  /// Loads a patch and puts its replacements in place.
  ///
  /// - Parameters:
  ///   - name: Says in reports which patch it is.
  ///   - files: The text of each Lua file by its path; other files are not needed.
  ///   - registry: Where the functions of the app are.
  ///   - configuration: Limits, and who is told what.
  /// - Throws: `PatchFailure`; nothing is replaced then.
  public init(
    name: String, files: [String: String], registry: PatchRegistry = .shared,
    configuration: Configuration = Configuration()
  ) throws(PatchFailure) {
    self.name = name
    let log = configuration.log
    state = try PatchState(
      name: name, limits: configuration.limits, find: { registry.targetOrAwaited($0) }, log: { line in log?(line) })
    configuration.begins?(state)
    failures = PatchFailures(maximum: configuration.maximumFailures, tell: configuration.report)
    for (name, export) in registry.exports.sorted(by: { $0.key < $1.key }) { try state.export(name, export.body) }
    let entry = try Self.add(files, to: state)
    try state.load(entry)
    state.finishLoading()
    let requests = state.requests
    symbols = requests.map(\.target.name).sorted()
    installed = Lock(requests.map(\.target))
    for request in requests {
      request.target.install(
        Replacement(
          state: state, function: request.function, receiver: request.receiver, symbol: request.symbol,
          failures: failures))
    }
    failures.whenTooMany { [weak self] in self?.unload() }
  }

  deinit {
    unload()
  }

  /// Gives all functions back to their originals; calls that are under way end as they are.
  public func unload() {
    let targets = installed.withLock { targets in
      defer { targets = [] }
      return targets
    }
    for target in targets where target.replacement?.state === state {
      target.install(nil)
    }
  }

  /// The replaced functions that the app has not entered yet, sorted; after the app has started, names that it does not
  /// know.
  public var awaitedSymbols: [String] {
    installed.withLock { targets in
      targets.compactMap { $0 as? AwaitedTarget }.filter { !$0.hasArrived }.map(\.name).sorted()
    }
  }

  /// Tells whether the replacements are in place; false after `unload()` or too many failures.
  public var isActive: Bool { installed.withLock { !$0.isEmpty } }

  /// The actions of the patch so far.
  public var statistics: Statistics {
    Statistics(
      calls: state.calls.load(), failures: failures.total,
      instructions: Int(clamping: mp_lua_instructions(state.handle)),
      memory: Int(clamping: mp_lua_memory(state.handle)),
      memoryPeak: Int(clamping: mp_lua_memory_peak(state.handle)))
  }

  /// Counts of a patch.
  public struct Statistics: Sendable, Equatable {
    /// Calls of replacements.
    public let calls: Int
    /// Those that failed.
    public let failures: Int
    /// Counted in steps of 256, so short calls may not show.
    public let instructions: Int
    /// Bytes now, and at most.
    public let memory: Int
    /// The most memory that the patch has had so far, in bytes.
    public let memoryPeak: Int
  }

  /// Compiles all Lua files and gives the module that is to be run.
  private static func add(_ files: [String: String], to state: PatchState) throws(PatchFailure) -> String {
    let paths = files.keys.filter { $0.hasSuffix(".lua") }.sorted()
    let entry = paths.contains("main.lua") ? "main.lua" : paths.count == 1 ? paths.first : nil
    guard let entry else { throw PatchFailure(.files, "a patch needs main.lua, or a single Lua file") }
    for path in paths {
      try state.add(files[path] ?? "", as: module(path), path: path)
    }
    return module(entry)
  }

  /// The name of a file for `require`: `a/b.lua` is `a.b`.
  private static func module(_ path: String) -> String {
    path.dropLast(4).split(separator: "/").joined(separator: ".")
  }
}
