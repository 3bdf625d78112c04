package import MPaaSCrashReport

/// The code by which a signal handler goes back to what the signal interrupted.
///
/// The kernel lets the handler's return address point to its start, so that it belongs to no call and no function: the
/// address before it is another's. Our captures mark the frame behind it as interrupted; reports of others do not.
enum SignalTrampoline {
  /// Tells whether a symbol's name is that of a trampoline.
  ///
  /// - Source: glibc and musl (`__restore_rt`), Linux' vDSO (`__kernel_rt_sigreturn`), bionic (`__default_sa_restorer`),
  ///   Darwin's libsystem_platform (`_sigtramp`), Go (`runtime.sigreturn`); debuggers' words.
  static func isName(_ name: String) -> Bool { names.contains(name) || name.hasPrefix("runtime.sigreturn") }

  private static let names: Set<String> = [
    "__restore_rt", "__restore", "__libc_restore_rt", "__kernel_rt_sigreturn", "__kernel_sigreturn",
    "__vdso_rt_sigreturn", "__default_rt_sa_restorer", "__default_sa_restorer", "_sigtramp", "__sigtramp",
    CrashReport.Call.signalHandlerCalled.function, "<signal trampoline>",
  ]

  /// The function before the trampoline in glibc, whose name others give the address before it.
  private static let neighbors: Set<String> = ["sigaction", "__sigaction", "__libc_sigaction"]

  /// Tells whether a caller's name says that it is a trampoline, by itself or by what it would have called.
  ///
  /// `sigaction` calls nothing outside of the C library.
  static func isNamed(_ index: Int, of frames: [CrashReport.Frame]) -> Bool {
    guard index > 0, let call = frames[index].calls.last else { return false }
    if isName(call.function) || call.symbol.map(isName) == true { return true }
    guard neighbors.contains(call.function), let image = frames[index].image else { return false }
    return frames[index - 1].image.map { $0 != image } ?? false
  }
}

extension CrashReport {
  /// Tells whether a frame is a signal trampoline: the one behind it is marked as what a signal interrupted.
  static func isSignalTrampoline(_ index: Int, of frames: [Frame]) -> Bool {
    index + 1 < frames.count && frames[index + 1].kind == .interrupted && frames[index].kind == .physical
  }

  /// Marks the frames that signals interrupted, where a report tells trampolines by name only, and names these
  /// trampolines as debuggers do.
  ///
  /// - Parameter isTrampoline: Tells by its address whether the caller at a place of a stack is a trampoline.
  mutating func markSignalTrampolines(where isTrampoline: (_ index: Int, _ frames: [Frame]) -> Bool = { _, _ in false })
  {
    for stack in stackIndices {
      let frames = self[stack: stack]
      for index in frames.indices.dropFirst().dropLast()
      where frames[index].kind == .physical && frames[index + 1].kind == .physical {
        guard SignalTrampoline.isNamed(index, of: frames) || isTrampoline(index, frames) else { continue }
        self[stack: stack][index].calls = [.signalHandlerCalled]
        self[stack: stack][index + 1].kind = .interrupted
      }
    }
  }

  /// Names the signal trampolines of all stacks, as debuggers do.
  mutating func nameSignalTrampolines() {
    for stack in stackIndices {
      for index in self[stack: stack].indices where Self.isSignalTrampoline(index, of: self[stack: stack]) {
        self[stack: stack][index].calls = [.signalHandlerCalled]
      }
    }
  }
}

extension CrashReport.Call {
  /// The words that debuggers show for a signal trampoline.
  package static let signalHandlerCalled = CrashReport.Call(function: "<signal handler called>")
}
