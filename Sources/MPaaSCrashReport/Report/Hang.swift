extension CrashReport {
  /// The time that a queue or thread did not answer in, and what it did then.
  package struct Hang: Sendable, Equatable {
    /// The work of the thread while it hung.
    package enum Activity: String, Sendable, Codable {
      /// On a processor, or ready for one.
      case busy
      /// For a lock, a descriptor, a disk.
      case waiting
      /// It was not looked at often enough to tell.
      case unknown
    }

    /// The length of a hang in a word, by the limits that the program chose.
    package enum Severity: String, Sendable, Codable, CaseIterable, Comparable {
      case micro, hang, severe, fatal

      private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

      package static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }
    }

    /// A look at the thread.
    package struct Sample: Sendable, Equatable {
      /// Seconds since the hang began.
      package var time: Double
      /// The kernel's letter for the state of the thread; nil where it is not known.
      package var state: String?
      /// The number of the system call that it was in.
      package var call: Int?
      /// The thread that held the lock which was waited for.
      package var owner: UInt64?
      /// Index into `CrashReport.threads`: the entry with the stack; nil where it is not kept.
      package var thread: Int?

      package init(time: Double) {
        self.time = time
      }
    }

    /// The name of the queue or thread.
    package var name = ""
    package var began = Timestamp()
    /// Seconds; to the last look where the program ended while it hung.
    package var duration = 0.0
    /// False where the program ended while it hung.
    package var hasEnded = true
    package var activity = Activity.unknown
    /// The part of the time that it used a processor or waited for one, from 0 to 1.
    package var processorShare: Double?
    /// The queue went on to other work meanwhile, without getting through.
    package var isPartly = false
    package var severity = Severity.hang
    package var samples: [Sample] = []
    /// The number of samples in which the stack of the thread that hung is as it is shown.
    package var agreeing = 0

    package init() {}
  }
}
