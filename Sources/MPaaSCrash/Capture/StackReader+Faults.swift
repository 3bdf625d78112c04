import CTrace
import MPaaSCrashReport

extension StackReader {
  /// Tells whether a thread is still in the handler of a signal: its stack leads back to the state that the signal
  /// interrupted.
  ///
  /// - Parameter dying: The signal that the thread is about to die of. Where it is the same and the thread stands where
  ///   it stood then, the handler only put the default action back, or the kernel could not start it.
  func isHandling(_ fault: CaughtFault, in state: ThreadState, dyingOf dying: Int32? = nil) -> Bool {
    let isAt = { (counter: UInt64, pointer: UInt64) in
      counter == fault.state.programCounter && pointer == fault.state.stackPointer
    }
    if dying == fault.signal.signal, isAt(state.programCounter, state.stackPointer) { return true }
    let stack = stack(of: state)
    return zip(stack.frames, stack.pointers).contains { frame, pointer in
      frame.kind == .interrupted && isAt(frame.address, pointer)
    }
  }
}
