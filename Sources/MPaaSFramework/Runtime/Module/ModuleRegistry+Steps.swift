import MPaaSTime

extension ModuleRegistry {
  /// Makes the modules and lets each set up what others may ask for.
  ///
  /// - Throws: `basic-module-failed`; the modules that are set up by then are torn down.
  package func setUp(in context: MobileContext) throws(FrameworkError) {
    guard stage == .idle else { return }
    self.context = context
    stage = .settingUp
    try all("set-up", in: context) { slot throws(FrameworkError) in try self.setUp(slot, in: context) }
    stage = .setUp
  }

  /// Lets each module begin its work, and after that the asynchronous ones what may take longer.
  ///
  /// - Throws: `basic-module-failed`; all modules are torn down.
  package func initialize(in context: MobileContext) throws(FrameworkError) {
    guard stage == .setUp else { return }
    try all("init", in: context) { slot throws(FrameworkError) in try self.initialize(slot, in: context) }
    stage = .initialized
    for slot in slots { beginLater(slot, in: context) }
  }

  /// Tells each module that the first screen is about to be shown.
  package func splash(in context: MobileContext) {
    guard stage == .initialized else { return }
    trace.measure(.phase, "splash") {
      for slot in slots { splash(slot, in: context) }
    }
    stage = .splashed
  }

  /// Tears the modules down in the reverse of their order; their asynchronous work is cancelled.
  ///
  /// They may be set up again afterwards.
  package func tearDown(in context: MobileContext) {
    guard stage != .idle else { return }
    trace.measure(.phase, "tear-down") {
      for slot in slots.reversed() { tearDown(slot, in: context) }
    }
    observers = [:]
    stage = .idle
    trace.flush()
  }

  /// Waits until the asynchronous modules that have begun are done.
  public func settled() async {
    for slot in slots { await slot.later?.value }
  }

  /// Brings a module that comes late to where the others are.
  func catchUp(_ slot: ModuleSlot, in context: MobileContext) throws(FrameworkError) {
    try setUp(slot, in: context)
    if stage >= .initialized {
      try initialize(slot, in: context)
      beginLater(slot, in: context)
    }
    if stage >= .splashed { splash(slot, in: context) }
  }

  /// A step of all modules, ended by the first basic one that fails.
  private func all(
    _ phase: String, in context: MobileContext, _ step: (ModuleSlot) throws(FrameworkError) -> Void
  ) throws(FrameworkError) {
    let failure = trace.measure(.phase, phase) { () -> FrameworkError? in
      for slot in slots {
        do throws(FrameworkError) { try step(slot) } catch { return error }
      }
      return nil
    }
    guard let failure else { return }
    tearDown(in: context)
    throw failure
  }

  private func splash(_ slot: ModuleSlot, in context: MobileContext) {
    guard slot.takesPart, let module = slot.module else { return }
    perform(.splash, slot) { try module.splash(in: context) }
  }

  /// Writes the trace, and again once all are done, so that it says what the asynchronous ones took.
  func settle() {
    guard trace.output != nil else { return }
    trace.flush()
    guard slots.contains(where: { $0.later != nil }) else { return }
    settling = Task {
      await settled()
      trace.flush()
    }
  }
}

extension ModuleRegistry {
  private func setUp(_ slot: ModuleSlot, in context: MobileContext) throws(FrameworkError) {
    let error = perform(.setUp, slot) {
      let module = slot.entry.type.init()
      slot.module = module
      try module.setUp(in: context)
    }
    slot.takesPart = error == nil
    if let error {
      slot.module = nil
      removeObservers(of: slot)
      try refuse(error, slot)
    }
  }

  private func initialize(_ slot: ModuleSlot, in context: MobileContext) throws(FrameworkError) {
    guard slot.takesPart, let module = slot.module else { return }
    if let error = perform(.initialize, slot, { try module.initialize(in: context) }) {
      slot.takesPart = false
      try refuse(error, slot)
    }
  }

  private func beginLater(_ slot: ModuleSlot, in context: MobileContext) {
    guard slot.takesPart, slot.entry.type.isAsynchronous, let module = slot.module else { return }
    slot.later = Task {
      let start = trace.clock.now()
      do {
        try Task.checkCancellation()
        try await trace.measure(
          .module, .type(slot.entry.type), phase: ModulePhase.initializeLater.rawValue, at: slot.entry.place
        ) { try await module.initializeLater(in: context) }
      } catch  where !Task.isCancelled {
        slot.takesPart = false
        report(error, .initializeLater, slot)
      } catch {
        // It was torn down meanwhile: whatever it says now is no failure, and the slot may have a new module.
      }
      slot.spent[.initializeLater, default: .zero] += trace.clock.now() - start
    }
  }

  func tearDown(_ slot: ModuleSlot, in context: MobileContext) {
    slot.later?.cancel()
    slot.later = nil
    slot.takesPart = false
    guard let module = slot.module else { return }
    perform(.tearDown, slot) { try module.tearDown(in: context) }
    slot.module = nil
  }

  /// Does a step of a module and keeps its time.
  ///
  /// - Returns: What was reported where it threw.
  @discardableResult
  private func perform(_ phase: ModulePhase, _ slot: ModuleSlot, _ step: () throws -> Void) -> FrameworkError? {
    let start = trace.clock.now()
    defer { slot.spent[phase, default: .zero] += trace.clock.now() - start }
    do {
      try trace.measure(.module, .type(slot.entry.type), phase: phase.rawValue, at: slot.entry.place, step)
      return nil
    } catch {
      return report(error, phase, slot)
    }
  }

  @discardableResult
  func report(_ error: any Error, _ phase: ModulePhase, _ slot: ModuleSlot) -> FrameworkError {
    let failure = FrameworkError(
      .moduleFailed, .module(slot.entry.name), at: slot.entry.place,
      values: ["phase": phase.rawValue, "reason": "\(error)"], underlying: error)
    failures.append(ModuleFailure(phase: phase, error: failure))
    onFailure?(ModuleFailure(phase: phase, error: failure))
    return failure
  }

  /// Ends the start where a basic module failed.
  private func refuse(_ error: FrameworkError, _ slot: ModuleSlot) throws(FrameworkError) {
    guard slot.entry.level <= 0 else { return }
    throw FrameworkError(
      .basicModuleFailed, error.subject, at: error.place, values: error.values, underlying: error.underlying)
  }
}
