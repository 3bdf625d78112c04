/// Conditions that change as time goes by.
public struct Timeline: Sendable, Hashable {
  /// From `start` on, for `duration`, these toxics hold on top of what holds otherwise.
  public struct Step: Sendable, Hashable {
    /// Since the timeline began.
    public var start: Duration
    /// nil to the end of the timeline.
    public var duration: Duration?
    /// The toxics that hold during the step.
    public var toxics: [Toxic]
    /// The step's label for people: `flight mode`, `profile 3g`.
    public var label: String

    /// Makes a step that lasts to the end of the timeline, unless a duration is given.
    public init(at start: Duration, for duration: Duration? = nil, _ toxics: [Toxic], label: String) {
      self.start = start
      self.duration = duration
      self.toxics = toxics
      self.label = label
    }
  }

  /// The name of the timeline.
  public var name: String
  /// By their start.
  public var steps: [Step]
  /// The whole length; nil lasts as long as its last step.
  public var length: Duration?
  /// Tells whether it begins again at its end.
  public var repeats: Bool

  /// Makes a timeline that is as long as its steps and ends once, unless told otherwise.
  public init(name: String, steps: [Step], length: Duration? = nil, repeats: Bool = false) {
    self.name = name
    self.steps = steps
    self.length = length
    self.repeats = repeats
  }
}
