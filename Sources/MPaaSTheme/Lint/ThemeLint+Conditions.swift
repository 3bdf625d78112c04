import MPaaSConfig
import MPaaSSupport

extension ThemeLint {
  /// The conditions of a choice: what each says, and what they say together.
  mutating func check(_ choice: ThemeChoice) {
    for branch in choice.branches where branch.condition == nil { explain(branch) }
    for branch in choice.branches {
      guard case .version(_, let places)? = branch.condition?.term, places < 3,
        let condition = branch.condition, [.equal, .notEqual].contains(condition.comparison)
      else { continue }
      warn(.versionShort, ["condition": branch.key.key], at: theme.document.place(of: branch.key))
    }
    for key in choice.group.keys where key.key != ThemeChoice.defaultKey && !ThemeCondition.isMeant(by: key.key) {
      warn(.conditionMixed, ["key": key.key], at: theme.document.place(of: key))
    }
    let devices = ThemeDevice.all(toldApartBy: choice.branches.compactMap(\.condition))
    checkCover(choice, devices)
    checkOverlaps(choice, devices)
  }

  /// Explains why a key states no condition.
  private mutating func explain(_ branch: ThemeChoice.Branch) {
    let place = theme.document.place(of: branch.key)
    var values = ["condition": branch.key.key]
    do throws(ThemeCondition.Fault) {
      _ = try ThemeCondition(branch.key.key)
    } catch {
      switch error {
      case .subject(let subject, let suggestion):
        values["subject"] = subject
        values["suggestion"] = suggestion
        fail(.conditionUnknown, values, at: place)
      case .value(let value, let subject, let suggestion):
        (values["value"], values["subject"]) = (value, subject)
        values["suggestion"] = suggestion
        fail(.conditionValue, values, at: place)
      case .comparison(let sign, let subject):
        (values["operator"], values["subject"]) = (sign, subject)
        fail(.conditionOperator, values, at: place)
      }
    }
  }

  /// Conditions that never hold, and devices on which nothing does.
  private mutating func checkCover(_ choice: ThemeChoice, _ devices: [ThemeDevice]) {
    for branch in choice.branches {
      guard let condition = branch.condition, !devices.contains(where: { condition.holds(on: $0) }) else { continue }
      warn(.conditionNever, ["condition": branch.key.key], at: theme.document.place(of: branch.key))
    }
    guard choice.standard == nil, !theme.isInherited,
      let bare = devices.first(where: { choice.holding(on: $0).isEmpty })
    else { return }
    warn(.defaultMissing, ["device": bare.description], at: theme.document.place(of: choice.group.value))
  }

  /// Two conditions that hold at once: which value counts is not defined.
  private mutating func checkOverlaps(_ choice: ThemeChoice, _ devices: [ThemeDevice]) {
    for (index, branch) in choice.branches.enumerated() {
      guard let condition = branch.condition else { continue }
      for other in choice.branches[..<index] {
        guard let before = other.condition,
          let device = devices.first(where: { condition.holds(on: $0) && before.holds(on: $0) })
        else { continue }
        let values = ["condition": branch.key.key, "other": other.key.key, "device": device.description]
        fail(.conditionsOverlap, values, at: theme.document.place(of: branch.key))
      }
    }
  }
}
