internal import CSecurity

extension Security {
  /// A process that traces this one.
  public struct Debugger: Sendable, Hashable {
    /// The number of the process; Apple's systems tell that of the parent, who mostly is it.
    public let process: Int32
    /// The name of its program, at most 15 bytes; nil where it is hidden.
    public let name: String?
    /// True where it is the app's own tracer.
    public let isOwn: Bool
  }

  /// The process that traces this one, the app's own tracer too; nil where none does, or where it is not known.
  public static func debugger() -> Debugger? {
    let process = mp_security_tracer()
    guard process > 0 else { return nil }
    let name = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16) { bytes -> String? in
      guard let start = bytes.baseAddress, mp_security_process_name(process, start) else { return nil }
      return String(nulTerminated: UnsafeRawBufferPointer(bytes))
    }
    return Debugger(process: process, name: name, isOwn: process == mp_security_tracer_child())
  }

  /// Begins to trace the app by a process of its own, so that no debugger can attach.
  ///
  /// Off by default. A process can have one tracer: while it runs, `mpaas crash attach` and other debuggers are refused,
  /// too. Crashes are still caught by `CrashReporter`, whose handler needs no tracer. Where the app runs under
  /// `mpaas crash run`, which captures by tracing, the call is refused. Linux only.
  /// - Throws: `TracerError`.
  public static func startTracer() throws(TracerError) {
    let failure = mp_security_tracer_start()
    if failure != 0 { throw TracerError(system: failure, debugger: debugger()) }
  }

  /// Ends the app's own tracer; nothing happens where there is none.
  public static func stopTracer() { _ = mp_security_tracer_stop() }
}

/// The reason why the app's own tracer did not begin.
public struct TracerError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kernel's number for the reason.
  public let system: Int32
  /// The process that traces already, where there is one.
  public let debugger: Security.Debugger?

  /// A sentence in English.
  public var description: String {
    if let debugger {
      let name = debugger.name.map { " (\($0))" } ?? ""
      return debugger.isOwn ? "the tracer runs already" : "process \(debugger.process)\(name) traces this one already"
    }
    return "the system refuses to trace: error \(system)"
  }
}
