/// An interface that is shaped, or would be.
package struct ShapingOutcome: Sendable, Equatable {
  package enum State: String, Sendable {
    case planned, shaped
    /// It was shaped for a time that is over.
    case undone
  }

  package let plan: ShapePlan
  package let label: String
  /// False where everything was taken for granted, since the kernel could not be asked.
  package let isProbed: Bool
  package let state: State
}

/// The conditions that an interface is to have.
package struct ShapingWish: Sendable {
  package var interface: String
  package var upstream: [Condition]
  package var downstream: [Condition]
  /// The conditions in words.
  package var label: String
  /// Only plans.
  package var isTrial = false
  /// Replaces a queue that somebody else made; it does not come back.
  package var overridesOthers = false

  package init(
    interface: String, upstream: [Condition], downstream: [Condition], label: String, isTrial: Bool = false,
    overridesOthers: Bool = false
  ) {
    self.interface = interface
    self.upstream = upstream
    self.downstream = downstream
    self.label = label
    self.isTrial = isTrial
    self.overridesOthers = overridesOthers
  }
}

extension KernelShaper {
  /// Shapes an interface, for good or for a time.
  ///
  /// - Parameters:
  ///   - features: The parts that the kernel has; nil where it could not be asked.
  ///   - hold: For shaping that ends: is called before the first change, and gives what waits for the end. nil for
  ///     shaping that stays.
  /// - Throws: `net-interface-unknown`; `net-shaping-refused` where the kernel could not be asked; as `apply`.
  package func shape(
    _ wish: ShapingWish, with features: ShapingFeatures?, hold: (() -> () -> Void)?
  ) throws(NetworkError) -> ShapingOutcome {
    let plan = ShapePlan(
      interface: wish.interface, upstream: wish.upstream, downstream: wish.downstream, features: features ?? .all,
      device: try Self.device(of: wish.interface))
    func outcome(_ state: ShapingOutcome.State) -> ShapingOutcome {
      ShapingOutcome(plan: plan, label: wish.label, isProbed: features != nil, state: state)
    }
    if wish.isTrial { return outcome(.planned) }
    guard features != nil else { throw NetworkError(.shapingRefused, ["interface": wish.interface]) }
    let wait = hold?()
    let record = try apply(
      plan, label: wish.label, holding: wait != nil, overridesOthers: wish.overridesOthers)
    guard let wait else { return outcome(.shaped) }
    // The waiting one may hold signals off: it goes on until all is undone.
    withExtendedLifetime(wait) {
      wait()
      takeBack(record)
    }
    return outcome(.undone)
  }
}
