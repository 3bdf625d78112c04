package import MPaaSCrashReport

/// The samples of a program over a time, before symbolication.
package struct Recording: Sendable {
  package let method: RecordingOptions.Method
  /// Samples of a second, as wished.
  package let rate: Int
  /// The name of the program.
  package let name: String
  package let process: Int32
  /// The time at which it began, in nanoseconds since 1970.
  package let start: Int64
  /// Nanoseconds from the beginning to the end.
  package let duration: UInt64
  /// The address spaces of the processes; each distinct stack is a thread of such a report, so that whatever symbolicates
  /// reports does it here.
  package var spaces: [CrashReport]
  /// Distinct stacks, in the order in which they were seen first.
  package let stacks: [RecordedStack]
  /// In the order of their times.
  package let samples: [RecordedSample]
  /// By their numbers.
  package let threads: [Int32: RecordedThread]
  package let cost: RecordingCost
  /// The exit status of a program that was started, or 128 + its signal.
  package let exit: Int32?
}

/// A thread of a recording.
package struct RecordedThread: Sendable, Equatable {
  package let process: Int32
  package var name: String
  package var processName: String
}

/// A stack of a recording.
package struct RecordedStack: Sendable, Hashable {
  /// Index into `Recording.spaces`.
  package let space: Int
  /// Index into the threads of that report; nil where the thread had no stack of its own.
  package let stack: Int?
  /// The kernel's functions above it, innermost first, as their addresses.
  package let kernel: [UInt64]
  package let state: RecordedState
}

/// The state of a thread in a sample.
package enum RecordedState: Sendable, Hashable {
  /// On a processor, or, where threads are stopped, ready to be.
  case running
  /// Ready to run while others did.
  case ready
  /// Waiting; by what the kernel says: the system call, and the kernel's function.
  case waiting(call: String?, function: String?)
  /// Waiting where the place was not sampled.
  case waitingSomewhere
}

/// A sample: a stack at a time.
package struct RecordedSample: Sendable, Equatable {
  package let thread: Int32
  /// Index into `Recording.stacks`.
  package let stack: Int
  /// Nanoseconds since the beginning.
  package let time: UInt64
  /// Nanoseconds that it stands for.
  package let weight: UInt64
}

/// The price of a recording.
package struct RecordingCost: Sendable, Equatable {
  /// Nanoseconds that this process was on processors while it recorded.
  package var ownTime: UInt64 = 0
  /// Nanoseconds that the program was on processors by its samples.
  package var programTime: UInt64 = 0
  /// Nanoseconds for which threads stood still, all added up; 0 with events.
  package var stoppedTime: UInt64 = 0
  /// Nanoseconds of the program's time that the samples took, as measured at the beginning; nil where it was not.
  package var sampledTime: UInt64?
  /// Samples that there was no room or no time for.
  package var lost: UInt64 = 0
  /// Stacks that go on beyond what was copied.
  package var cut = 0
}
