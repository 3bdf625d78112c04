/// The order of callbacks. Nothing here is entered twice at once: changes wait for one another (`StackChange`).
extension MobileContext {
  /// Puts a new micro-app on top; an error leaves the stack as it was.
  func launch(_ entry: ApplicationEntry, _ options: LaunchOptions) throws(FrameworkError) -> MicroApp {
    try trace.measure(.application, entry.name, phase: "launch", at: entry.place) { () throws(FrameworkError) in
      try begin(entry, options)
    }
  }

  private func begin(_ entry: ApplicationEntry, _ options: LaunchOptions) throws(FrameworkError) -> MicroApp {
    let application = MicroApp(entry, options: options, context: self)
    try call(.didCreate, application) { try $0.applicationDidCreate(application) }
    guard application.delegate.applicationShouldStart(application, options: options) else {
      throw FrameworkError(.applicationRefusesStart, .application(entry.name), at: entry.place)
    }
    try call(.willStartLaunching, application) {
      try $0.application(application, willStartLaunchingWithOptions: options)
    }
    application.state = .starting
    let covered = current
    if let covered { try cover(covered, by: application) }
    stack.append(application)
    do {
      try call(.didFinishLaunching, application) { try $0.applicationDidFinishLaunching(application) }
    } catch {
      throw takeBack(application, covering: covered, after: error)
    }
    application.state = .running
    return application
  }

  private func cover(_ covered: MicroApp, by application: MicroApp) throws(FrameworkError) {
    do {
      try call(.willPause, covered) { try $0.applicationWillPause(covered) }
    } catch {
      var errors = [error]
      remove(application, animated: false, errors: &errors)
      throw FrameworkError.first(of: errors) ?? error
    }
    covered.state = .paused
  }

  private func takeBack(
    _ application: MicroApp, covering covered: MicroApp?, after error: FrameworkError
  ) -> FrameworkError {
    var errors = [error]
    remove(application, animated: false, errors: &errors)
    if let covered { wake(covered, LaunchOptions(reason: .uncovered, source: application.name), errors: &errors) }
    return FrameworkError.first(of: errors) ?? error
  }

  /// Ends what stands above a micro-app, all of which must agree first, and resumes it with the options.
  func restart(_ application: MicroApp, _ options: LaunchOptions) throws(FrameworkError) -> MicroApp {
    let above = stack.suffix(while: { $0 !== application })
    for other in above.reversed() { try agree(other) }
    var errors: [FrameworkError] = []
    for other in above.reversed() { remove(other, animated: options.mode.isAnimated, errors: &errors) }
    var options = options
    options.reason = .restart
    application.options = options
    wake(application, options, errors: &errors)
    if let error = FrameworkError.first(of: errors) { throw error }
    return application
  }

  func end(
    _ application: MicroApp, isForced: Bool, animated: Bool, result: Parameters
  ) throws(FrameworkError) {
    guard stack.contains(where: { $0 === application }) else {
      throw FrameworkError(.applicationNotRunning, .application(application.name), at: application.place)
    }
    guard application !== stack.first || application.name != launcher else {
      throw FrameworkError(.launcherStays, .application(application.name), at: application.place)
    }
    if !isForced { try agree(application) }
    let wasCurrent = current === application
    var errors: [FrameworkError] = []
    remove(application, animated: animated, errors: &errors)
    if wasCurrent, let below = current {
      let owned = result.owned(by: .application(below.name), at: below.place)
      wake(below, LaunchOptions(parameters: owned, reason: .uncovered, source: application.name), errors: &errors)
    }
    if let error = FrameworkError.first(of: errors) { throw error }
  }

  func endAll() throws(FrameworkError) {
    var errors: [FrameworkError] = []
    while let application = current { remove(application, animated: false, errors: &errors) }
    isTerminated = true
    waiting = []
    modules.tearDown(in: self)
    services.stop()
    messages.shut()
    if let error = FrameworkError.first(of: errors) { throw error }
  }

  private func agree(_ application: MicroApp) throws(FrameworkError) {
    guard application.delegate.applicationShouldTerminate(application) else {
      throw FrameworkError(.applicationRefusesExit, .application(application.name), at: application.place)
    }
  }

  /// Tells a micro-app that it ends, and takes it from the stack whatever it throws.
  private func remove(_ application: MicroApp, animated: Bool, errors: inout [FrameworkError]) {
    do {
      try call(.willTerminate, application) { try $0.applicationWillTerminate(application, animated: animated) }
    } catch { errors.append(error) }
    stack.removeAll { $0 === application }
    application.state = .terminated
  }

  /// Makes the top of the stack current again; it counts as running even if it throws.
  private func wake(_ application: MicroApp, _ options: LaunchOptions, errors: inout [FrameworkError]) {
    do {
      try call(.willResume, application, options) {
        try $0.application(application, willResumeWithOptions: options)
      }
      application.state = .running
      try call(.didResume, application, options) { try $0.applicationDidResume(application) }
    } catch { errors.append(error) }
    application.state = .running
  }

  private func call(
    _ step: LifecycleStep, _ application: MicroApp, _ options: LaunchOptions? = nil,
    _ body: (any MicroAppDelegate) throws -> Void
  ) throws(FrameworkError) {
    var failure: FrameworkError?
    do {
      try body(application.delegate)
    } catch {
      failure = FrameworkError(
        .applicationStepFailed, .application(application.name), at: application.place,
        values: ["step": step.rawValue], underlying: error)
    }
    if !observers.isEmpty {
      tell(
        LifecycleEvent(
          application: application.name, step: step, options: options ?? application.options, error: failure))
    }
    if let failure { throw failure }
  }
}

extension Array {
  /// The longest end of the array in which all elements fulfil the condition.
  fileprivate func suffix(while condition: (Element) -> Bool) -> ArraySlice<Element> {
    self[(lastIndex { !condition($0) }.map { $0 + 1 } ?? startIndex)...]
  }
}
