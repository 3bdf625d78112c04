internal import CSecurity

/// Checks at run time: debuggers, foreign code, hooks, and the surroundings.
///
/// They raise the cost of an attack and prove nothing: who controls the process can pass each of them, and
/// `Finding.bypass` says how. Decide on a server what a finding means; never only here.
public enum Security {
  /// Does checks, and returns what they find; nothing on a system where none of them can be done.
  ///
  /// All but `.text` together take less than a millisecond in a usual app. May be called from any thread.
  public static func check(_ checks: Checks = .standard) -> [Finding] {
    var found = Look.with { look in look.findings(checks) }
    if checks.contains(.text), case .different(let difference) = textDigest() {
      found.append(
        Finding(.patchedCode, .certain, subject: difference.path, address: difference.address))
    }
    return found
  }

  /// Expects an image that nothing is linked with: `libjemalloc.so.2`, a whole path, or a folder that ends in `/`.
  ///
  /// For what the app itself preloads or opens. It holds until the process ends.
  /// - Returns: False where it is empty, or more than 64 were named.
  @discardableResult
  public static func allow(image: String) -> Bool { mp_security_allow(image) }
}

extension Security {
  /// The checks of `check(_:)`.
  public struct Checks: OptionSet, Sendable, Hashable {
    /// The bits of all checks that are in it.
    public let rawValue: UInt32

    /// Creates a set of the checks that have these bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Another process traces this one.
    public static let debugger = Checks(rawValue: 1)
    /// Images that the app is not linked with, code without a file, and variables that load some.
    public static let images = Checks(rawValue: 2)
    /// Words through which the app calls libraries, and that lead elsewhere.
    public static let slots = Checks(rawValue: 4)
    /// Code in memory that was written to.
    public static let code = Checks(rawValue: 8)
    /// Threads of Frida's agent.
    public static let frida = Checks(rawValue: 16)
    /// Frida's protocol on the ports that this process listens on.
    ///
    /// Each is connected to twice.
    public static let ports = Checks(rawValue: 32)
    /// All code of the executable compared with its file: some milliseconds.
    public static let text = Checks(rawValue: 64)

    /// All but `text`.
    public static let standard: Checks = [.debugger, .images, .slots, .code, .frida, .ports]
    /// Every check.
    public static let all: Checks = [.standard, .text]
  }
}
