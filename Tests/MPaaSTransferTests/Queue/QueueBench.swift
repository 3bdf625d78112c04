import Foundation
import MPaaSTestSupport
import Synchronization

@testable import MPaaSTransfer

/// A queue in a folder of its own, with files to send, and time that passes as the test wants.
struct QueueBench {
  let folder: TemporaryFolder
  let queue: TransferQueue
  let clock: ManualClock
  let log = EventLog()

  init(_ change: (inout TransferOptions) -> Void = { _ in }) throws {
    folder = try TemporaryFolder()
    clock = ManualClock()
    queue = try Self.open(folder.path + "/queue.sqlite", clock, change)
  }

  static func open(
    _ path: String, _ clock: ManualClock, _ change: (inout TransferOptions) -> Void = { _ in }
  ) throws -> TransferQueue {
    var options = TransferOptions()
    options.proxy = ""
    change(&options)
    return try TransferQueue(path, options: options, client: nil, times: clock.times, wall: { clock.wall })
  }

  /// Another value of the same queue, as after a restart.
  func reopened(_ change: (inout TransferOptions) -> Void = { _ in }) throws -> TransferQueue {
    try Self.open(folder.path + "/queue.sqlite", clock, change)
  }

  /// A file of bytes that look random.
  func file(_ size: Int, seed: UInt64 = 1, name: String = "file") throws -> (path: String, bytes: [UInt8]) {
    var random = SeededRandom(seed: seed)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size + 8)
    while bytes.count < size { withUnsafeBytes(of: random.next()) { bytes += $0 } }
    bytes.removeLast(bytes.count - size)
    let path = folder.path + "/" + name
    try Data(bytes).write(to: URL(filePath: path))
    return (path, bytes)
  }

  @discardableResult
  func run(
    _ patience: TransferPatience = .retries, device: @escaping @Sendable () -> DeviceState = { DeviceState() }
  ) async throws -> TransferSummary {
    let (queue, log) = (queue, log)
    let stop = Mutex<(@Sendable () -> Void)?>(nil)
    let task = Task {
      try await queue.run(patience: patience, device: device) { event in
        log.take(event)
        // A transfer that fails for ever is told instead of waited for.
        if log.retries.count > 60 { stop.withLock { $0 }?() }
      }
    }
    stop.withLock { $0 = { task.cancel() } }
    return try await task.value
  }
}

/// Time that stands still but for pauses, which pass at once.
final class ManualClock: Sendable {
  private let state = Mutex<(now: TimeSpan, wall: Double, pauses: [TimeSpan])>((.zero, 1_800_000_000, []))

  var wall: Double { state.withLock { $0.wall } }
  var pauses: [TimeSpan] { state.withLock { $0.pauses } }

  func advance(_ duration: TimeSpan) {
    state.withLock { state in
      state.now += duration
      state.wall += Double(duration.milliseconds) / 1000
    }
  }

  /// Sets the clock on the wall, as a user does; the other one goes on.
  func setWall(by seconds: Double) { state.withLock { $0.wall += seconds } }

  var times: TransferTimes {
    TransferTimes(
      now: {
        // Looks at the state of things go on although nothing waits.
        self.state.withLock { state in
          state.now += .milliseconds(50)
          return state.now
        }
      }, jitter: { $0 },
      skip: { pause in
        self.state.withLock { $0.pauses.append(pause) }
        self.advance(pause)
      })
  }
}

final class EventLog: Sendable {
  private let events = Mutex<[TransferEvent]>([])

  func take(_ event: TransferEvent) { events.withLock { $0.append(event) } }
  var all: [TransferEvent] { events.withLock { $0 } }
  var retries: [Double] {
    all.compactMap { if case .retrying(_, _, _, let seconds) = $0 { seconds } else { nil } }
  }
}
