/// The ways a command ends: the numbers that scripts branch on (`sysexits.h`, and a shell's own).
package struct ExitStatus: RawRepresentable, Sendable, Hashable, Codable {
  package let rawValue: Int32

  package init(rawValue: Int32) {
    self.rawValue = rawValue
  }

  private init(_ rawValue: Int32) {
    self.init(rawValue: rawValue)
  }

  package static let done = ExitStatus(0)
  /// A negative answer: not verified, differences found, check failed, child crashed.
  package static let negative = ExitStatus(1)
  package static let usage = ExitStatus(64)
  package static let malformedInput = ExitStatus(65)
  package static let inputMissing = ExitStatus(66)
  package static let unreachable = ExitStatus(69)
  package static let internalFault = ExitStatus(70)
  package static let cannotCreate = ExitStatus(73)
  package static let inputOutput = ExitStatus(74)
  package static let tryAgain = ExitStatus(75)
  package static let notPermitted = ExitStatus(77)
  package static let badConfiguration = ExitStatus(78)
  package static let interrupted = ExitStatus(130)
}
