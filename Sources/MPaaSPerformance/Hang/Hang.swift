import CPerformance

/// The time that a queue or thread did not answer in, and what it did meanwhile.
public struct Hang: Sendable, Hashable {
  /// The work of the thread while it hung.
  public enum Activity: String, Sendable, Hashable {
    /// On a processor, or ready for one.
    case busy
    /// For a lock, a descriptor, a disk.
    case waiting
    /// It was not looked at often enough to tell.
    case unknown
  }

  /// A look at the thread.
  public struct Sample: Sendable, Hashable {
    /// The time since the hang began.
    public let time: TimeSpan
    /// The system's number of the thread.
    public let thread: Int
    /// The stack, innermost first.
    public let stack: CallStack
    /// The starts of the functions of the stack; an address itself where its function's start is not known.
    package let functions: [UInt64]
    /// The thread that held the lock which was waited for, where the system tells.
    public let owner: Int?
    /// The number of the system call that the thread was in.
    public let systemCall: Int?
  }

  /// The name of the queue or thread.
  public let name: String
  /// The time that it began at, in seconds since 1970.
  public let began: Double
  /// The length of the hang.
  public let duration: TimeSpan
  /// The work of the thread while it hung.
  public let activity: Activity
  /// The part of the time that the thread used a processor or waited for one, from 0 to 1.
  public let processorShare: Double?
  /// Tells whether the queue went on to other work meanwhile, without getting through.
  public let isPartly: Bool
  /// Tells whether a record of it is kept.
  public let isSevere: Bool
  /// Tells whether systems end programs for such a hang.
  public let isFatal: Bool
  /// The looks at it.
  public let samples: [Sample]

  init(_ hang: mp_hang) {
    name = hang.name.map { String(cString: $0) } ?? ""
    began = Double(hang.seconds) + Double(hang.nanoseconds) / 1e9
    duration = .nanoseconds(hang.duration)
    isPartly = hang.flags & MP_HANG_PARTLY.rawValue != 0
    isSevere = hang.flags & MP_HANG_SEVERE.rawValue != 0
    isFatal = hang.flags & MP_HANG_FATAL.rawValue != 0
    samples = UnsafeBufferPointer(start: hang.samples, count: hang.count).map(Sample.init)
    let last = hang.count > 0 ? hang.samples[hang.count - 1] : mp_hang_sample()
    let used = Double(last.processor) + Double(last.queue)
    processorShare = used > 0 && hang.watched > 10_000_000 ? min(used / Double(hang.watched), 1) : nil
    let looks = UnsafeBufferPointer(start: hang.samples, count: hang.count)
    // A time in the queue for a processor is told only when it is over, so being ready for one counts, too.
    let isReady = looks.count { $0.state == CChar(UInt8(ascii: "R")) } * 2 > looks.count
    let isBusy = isReady || processorShare.map { $0 >= 0.5 } ?? false
    activity = looks.isEmpty ? .unknown : isBusy ? .busy : .waiting
  }
}

extension Hang.Sample {
  init(_ sample: mp_hang_sample) {
    time = .nanoseconds(sample.at)
    thread = Int(sample.tid)
    owner = sample.owner == 0 ? nil : Int(sample.owner)
    systemCall = sample.call < 0 ? nil : Int(sample.call)
    let frames = withUnsafeBytes(of: sample.frames) {
      Array($0.bindMemory(to: mp_frame.self).prefix(Int(sample.count)))
    }
    stack = CallStack(addresses: frames.map(\.pc))
    functions = frames.map { $0.pc &- UInt64($0.offset) }
  }
}

extension Hang: CustomStringConvertible {
  /// The hang in one line, in English.
  public var description: String {
    let milliseconds = duration.nanoseconds / 1_000_000
    return "\(name) did not answer for \(milliseconds) ms (\(activity.rawValue), \(samples.count) samples)"
  }
}
