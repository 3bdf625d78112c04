/// One change of the stack that somebody asked for.
enum StackChange {
  case start(ApplicationEntry, LaunchOptions)
  case exit(MicroApp, isForced: Bool, animated: Bool, result: Parameters)
  case terminate

  /// The micro-app's name, for errors.
  var subject: FrameworkError.Subject {
    switch self {
    case .start(let entry, _): .application(entry.name)
    case .exit(let application, _, _, _): .application(application.name)
    case .terminate: .context
    }
  }
}

extension MobileContext {
  /// The number of changes that callbacks may ask for in a row.
  static let longestRow = 1_000

  /// Starts a micro-app, or brings back the one of that name that is on the stack; what stands above it ends.
  ///
  /// - Parameters:
  ///   - name: As the tables have it.
  ///   - parameters: What it is given with its options.
  ///   - mode: How it comes; `.another` starts one more even if there is one.
  /// - Returns: The micro-app; nil inside a callback of the life cycle: it then starts once that change is done.
  /// - Throws: What went wrong first, with the rest in `others`. A start that failed leaves the stack as it was. What
  ///   callbacks asked for meanwhile and failed is thrown here too.
  @discardableResult
  public func start(
    _ name: String, parameters: Parameters = [:], mode: LaunchMode = .push
  ) throws(FrameworkError) -> MicroApp? {
    let entry = try entry(name)
    let owned = parameters.owned(by: .application(name), at: entry.place)
    return try change(.start(entry, LaunchOptions(parameters: owned, mode: mode, source: current?.name)))
  }

  /// Ends everything above the launcher, which resumes with the parameters; starts it if it is not there.
  public func backToLauncher(parameters: Parameters = [:]) throws(FrameworkError) {
    guard let launcher else { throw FrameworkError(.launcherMissing, .context) }
    try start(launcher, parameters: parameters, mode: .pushWithoutAnimation)
  }

  /// Ends the topmost micro-app of that name; the current one for nil.
  ///
  /// Those above it stay. Where it is on top, the one below resumes and gets `result`.
  public func exit(
    _ name: String? = nil, isForced: Bool = false, animated: Bool = true, returning result: Parameters = [:]
  ) throws(FrameworkError) {
    guard let application = name.map(find) ?? current else {
      throw FrameworkError(.applicationNotRunning, .application(name ?? ""), at: name.flatMap { try? entry($0).place })
    }
    try exit(application, isForced: isForced, animated: animated, returning: result)
  }

  /// Ends a micro-app; see `exit(_:isForced:animated:returning:)` by name.
  public func exit(
    _ application: MicroApp, isForced: Bool = false, animated: Bool = true, returning result: Parameters = [:]
  ) throws(FrameworkError) {
    try change(.exit(application, isForced: isForced, animated: animated, result: result))
  }

  /// Ends all micro-apps from the top down, the launcher last, and then the services; without asking them.
  ///
  /// The context starts nothing afterwards. A second call does nothing.
  public func terminate() throws(FrameworkError) {
    guard !isTerminated else { return }
    try change(.terminate)
  }

  /// Carries out a change, and then what callbacks asked for while it went on; inside a callback it is put in their
  /// row.
  @discardableResult
  private func change(_ change: StackChange) throws(FrameworkError) -> MicroApp? {
    guard !isTerminated else { throw FrameworkError(.contextTerminated, change.subject) }
    guard !isChanging else {
      waiting.append(change)
      return nil
    }
    isChanging = true
    defer { isChanging = false }
    var errors: [FrameworkError] = []
    var result: MicroApp?
    do { result = try perform(change) } catch { errors.append(error) }
    followUp(&errors)
    if let error = FrameworkError.first(of: errors) { throw error }
    return result
  }

  /// Does what callbacks asked for, until nothing is left.
  private func followUp(_ errors: inout [FrameworkError]) {
    var done = 0
    while !waiting.isEmpty, !isTerminated {
      let next = waiting.removeFirst()
      guard done < Self.longestRow else {
        errors.append(FrameworkError(.transitionLoop, next.subject, values: ["count": "\(done)"]))
        break
      }
      done += 1
      do { _ = try perform(next) } catch { errors.append(error) }
    }
    waiting = []
  }

  private func perform(_ change: StackChange) throws(FrameworkError) -> MicroApp? {
    switch change {
    case .start(let entry, let options):
      if !options.mode.startsAnother, let application = find(entry.name) {
        return try restart(application, options)
      }
      return try launch(entry, options)
    case .exit(let application, let isForced, let animated, let result):
      try end(application, isForced: isForced, animated: animated, result: result)
    case .terminate:
      try endAll()
    }
    return nil
  }
}
