public import MPaaSTime

/// The steps of a module's life for which its time is kept.
public enum ModulePhase: String, Sendable, Hashable, CaseIterable {
  /// `setUp(in:)`.
  case setUp = "set-up"
  /// `initialize(in:)`.
  case initialize = "init"
  /// `initializeLater(in:)`, with what it waits for.
  case initializeLater = "async-init"
  /// `splash(in:)`.
  case splash
  /// `handle(_:in:)` and the observers of events.
  case event
  /// `tearDown(in:)`.
  case tearDown = "tear-down"
}

/// The costs of a module so far.
public struct ModuleTime: Sendable {
  /// The name of its type.
  public let module: String
  /// The level of the module: 0 is basic, 1 normal.
  public let level: Int
  /// The priority of the module within its level; higher ones come first.
  public let priority: Int
  /// By the phases that it went through; `initializeLater` counts from its begin to its end, with what it waits for.
  public let spent: [ModulePhase: TimeSpan]

  /// The sum over all phases but `initializeLater`, in which others work too.
  public var total: TimeSpan {
    spent.reduce(.zero) { $1.key == .initializeLater ? $0 : $0 + $1.value }
  }
}

/// A step of a module that threw.
public struct ModuleFailure: Sendable {
  /// The step that threw.
  public let phase: ModulePhase
  /// Names the module and the line that registered it; `underlying` is what the module threw.
  public let error: FrameworkError
}
