extension ThemeDevice {
  /// Devices of all kinds that some conditions can tell apart: each screen, with each version that is named, one just
  /// below it and one just above it.
  static func all(toldApartBy conditions: some Sequence<ThemeCondition>) -> [ThemeDevice] {
    var versions: Set<Version> = []
    for condition in conditions {
      if case .version(let version, _) = condition.term {
        versions.formUnion([version, version.next, version.previous].compactMap(\.self))
      }
    }
    // One version stands for all where no condition asks for it.
    if versions.isEmpty { versions = [Version(9)] }
    let sorted = versions.sorted()
    return Screen.allCases.flatMap { screen in sorted.map { ThemeDevice(screen: screen, version: $0) } }
  }
}

extension ThemeDevice.Version {
  var next: Self? {
    let (patch, overflow) = patch.addingReportingOverflow(1)
    return overflow ? nil : Self(major, minor, patch)
  }

  fileprivate var previous: Self? {
    if patch > 0 { return Self(major, minor, patch - 1) }
    if minor > 0 { return Self(major, minor - 1, 99) }
    return major > 0 ? Self(major - 1, 99, 99) : nil
  }
}

extension ThemeDevice: CustomStringConvertible {
  /// As texts name it: `phone6p, iOS 9.0`.
  public var description: String {
    let parts = [screen?.rawValue ?? kind?.rawValue, version.map { "iOS \($0)" }].compactMap(\.self)
    return parts.isEmpty ? "?" : parts.joined(separator: ", ")
  }
}
