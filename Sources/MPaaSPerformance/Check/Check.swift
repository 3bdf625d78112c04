import MPaaSLock

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Conditions that must hold: what fails is told with its stack, and ends the program where it is being developed.
///
///     Check.told = { failure in log.error("\(failure)") }
///     Check.require(cart.count == lines.count, "the cart lost a line")
public enum Check {
  /// A condition that did not hold.
  public struct Failure: Sendable, Hashable, CustomStringConvertible {
    /// The text of the check.
    public let message: String
    /// The file of the check.
    public let file: String
    /// The line of the check.
    public let line: UInt
    /// The function of the check.
    public let function: String
    /// The stack at the check.
    public let stack: CallStack

    /// Makes a failure, as for a log's tests.
    public init(message: String, file: String, line: UInt, function: String, stack: CallStack) {
      self.message = message
      self.file = file
      self.line = line
      self.function = function
      self.stack = stack
    }

    /// The place and the text, in one line.
    public var description: String { "\(file):\(line): \(function): \(message)" }
  }

  private static let taker = Lock<@Sendable (Failure) -> Void>({ failure in
    let bytes = Array("check failed: \(failure)\n".utf8)
    _ = write(2, bytes, bytes.count)
  })

  /// Takes failures, for the app's log; at first they go to standard error.
  public static var told: @Sendable (Failure) -> Void {
    get { taker.withLock { $0 } }
    set { taker.withLock { $0 = newValue } }
  }

  /// Tells of a condition that does not hold, and ends the program in a build for development.
  ///
  /// - Parameters:
  ///   - condition: The condition that must hold.
  ///   - message: The text for the log.
  ///   - file: The file of the check.
  ///   - line: The line of the check.
  ///   - function: The function of the check.
  /// - Returns: Whether it holds.
  @discardableResult
  public static func require(
    _ condition: @autoclosure () -> Bool, _ message: @autoclosure () -> String = "a condition does not hold",
    file: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Bool {
    if condition() { return true }
    told(
      Failure(
        message: message(), file: "\(file)", line: line, function: "\(function)", stack: .current()))
    assertionFailure(message(), file: file, line: line)
    return false
  }
}

extension Perf {
  /// Stops in the debugger where one is attached; nothing happens without.
  public static func breakPoint() {
    guard isDebugged else { return }
    raise(SIGTRAP)
  }

  /// Tells whether a debugger is attached to this process.
  public static var isDebugged: Bool {
    #if canImport(Darwin)
      var info = kinfo_proc()
      var size = MemoryLayout<kinfo_proc>.stride
      var name: [Int32] = [CTL_KERN, KERN_PROC, KERN_PROC_PID, getpid()]
      return sysctl(&name, 4, &info, &size, nil, 0) == 0 && info.kp_proc.p_flag & P_TRACED != 0
    #else
      return RunSurroundings.isTraced
    #endif
  }
}
