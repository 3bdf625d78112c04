import MPaaSFlags
import MPaaSSupport

/// The differences that edits make, and the approvals that they need.
extension FlagEdit {
  /// The difference in words; its members are those that Unleash's specification names.
  package var change: FlagComparison.Change {
    let compared = FlagComparison(from: state(before), to: state(after)).changes.first
    if let compared { return compared }
    return FlagComparison.Change(
      kind: before == nil ? .added : after == nil ? .removed : .changed, subject: item.kind, name: item.name,
      members: [])
  }

  private func state(_ json: String?) -> FlagState {
    guard let json else { return FlagState() }
    let text = item.kind == "flag" ? "{\"features\":[\(json)]}" : "{\"features\":[],\"segments\":[\(json)]}"
    return (try? FlagState(json: text)) ?? FlagState()
  }

  /// Tells whether the edit is of a flag that is, and stays, a kill switch.
  package var isOfKillSwitch: Bool {
    guard case .flag = item else { return false }
    let flags = [before, after].compactMap { $0 }.flatMap { state($0).flags }
    return !flags.isEmpty && flags.allSatisfy(\.isKillSwitch)
  }
}
