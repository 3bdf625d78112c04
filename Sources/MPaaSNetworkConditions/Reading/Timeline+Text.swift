extension Timeline {
  /// Reads the text form: `at 10s: flight mode for 5s`, a statement a line.
  ///
  /// - Parameters:
  ///   - file: What errors name.
  ///   - name: What it is called where the text does not say; nil takes the file's name.
  ///   - profiles: What `profile NAME` may name.
  /// - Throws: `NetworkError` with the line and column of the first fault.
  public init(
    text: String, file: String, name: String? = nil, profiles: ProfileCatalogue = .builtIn
  ) throws(NetworkError) {
    self = try TimelineReader(file: file, profiles: profiles).timeline(text, name: name)
  }

  /// The text form, which reads as the same timeline again.
  ///
  /// - Parameter profiles: Steps that hold what a profile of these says are written by its name.
  public func text(profiles: ProfileCatalogue = .builtIn) -> String {
    var lines = ["name \(ConditionPhrase.word(name))"]
    if let length { lines.append("length \(Quantity.text(length))") }
    if repeats { lines.append("repeat") }
    for step in steps {
      guard !step.toxics.isEmpty else { continue }
      let time = step.duration.map { " for \(Quantity.text($0))" } ?? ""
      lines.append("at \(Quantity.text(step.start)): \(what(step, profiles))\(time)")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The content of a step, in the words that read as it again.
  func what(_ step: Step, _ profiles: ProfileCatalogue) -> String {
    Self.profileName(of: step, profiles) ?? ConditionPhrase.text(of: step.toxics)
  }

  private static func profileName(of step: Step, _ profiles: ProfileCatalogue) -> String? {
    guard step.label.hasPrefix("profile "),
      let profile = profiles.profiles.first(where: { step.label == "profile \(ConditionPhrase.word($0.name))" }),
      profile.timeline == nil, profile.toxics == step.toxics
    else { return nil }
    return step.label
  }
}
