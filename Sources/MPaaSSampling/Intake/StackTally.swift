import CUnwind
import MPaaSCrash
import MPaaSCrashReport

/// Distinct stacks, numbered in the order in which they come.
struct StackTally {
  private(set) var stacks: [RecordedStack] = []
  private var known: [Key: Int] = [:]
  private var states: [RecordedStack: Int] = [:]

  private struct Key: Hashable {
    let space: Int
    let state: RecordedState
    let addresses: [UInt64]
    let kernel: [UInt64]
  }

  /// The number of a stack.
  ///
  /// - Parameters:
  ///   - frames: Innermost first; none for a thread that has only the kernel's side.
  ///   - space: Keeps the frames of stacks that are new.
  mutating func number(
    of frames: UnsafeBufferPointer<mp_frame>, kernel: [UInt64], state: RecordedState, in space: AddressSpace
  ) -> Int {
    let key = Key(space: space.index, state: state, addresses: frames.map(\.pc), kernel: kernel)
    if let number = known[key] { return number }
    let stack = frames.isEmpty ? nil : space.keep(frames.map(StackReader.reportFrame))
    stacks.append(RecordedStack(space: space.index, stack: stack, kernel: kernel, state: state))
    known[key] = stacks.count - 1
    return stacks.count - 1
  }

  /// The number of a known stack in another state.
  mutating func number(of stack: Int, as state: RecordedState) -> Int {
    let original = stacks[stack]
    if original.state == state { return stack }
    let copy = RecordedStack(
      space: original.space, stack: original.stack, kernel: original.kernel, state: state)
    if let number = states[copy] { return number }
    stacks.append(copy)
    states[copy] = stacks.count - 1
    return stacks.count - 1
  }
}
