import MPaaSCrashReport

/// A recording in numbers: its threads, its busiest functions, and what was waited for longest.
package struct RecordingSummary: Sendable {
  package struct Thread: Sendable, Equatable {
    package let id: Int32
    package let process: Int32
    package let name: String
    package let processName: String
    /// Nanoseconds on a processor, ready for one, and waiting.
    package fileprivate(set) var running: UInt64 = 0
    package fileprivate(set) var ready: UInt64 = 0
    package fileprivate(set) var waiting: UInt64 = 0
    package fileprivate(set) var samples = 0
  }

  package struct Function: Sendable, Equatable {
    package let name: String
    package let image: String?
    /// Nanoseconds in which it was running itself.
    package let own: UInt64
  }

  package struct Wait: Sendable, Equatable {
    package let call: String?
    package let kernelFunction: String?
    /// The innermost function that led to it, outside of the C library where there is one.
    package let function: String?
    package let image: String?
    /// Nanoseconds.
    package fileprivate(set) var time: UInt64 = 0
    package fileprivate(set) var count = 0
  }

  /// Those with most time on processors first.
  package let threads: [Thread]
  package let hottest: [Function]
  package let waits: [Wait]

  /// - Parameter most: How many functions and waits are kept.
  package init(_ recording: Recording, _ kernel: KernelSymbols, most: Int = 10) {
    var count = RecordingCount(recording, kernel)
    for sample in recording.samples { count.add(sample) }
    threads = count.threads.values.sorted { ($1.running, $0.id) < ($0.running, $1.id) }
    let functions = count.own.sorted { ($1.value, $0.key.name) < ($0.value, $1.key.name) }
    hottest = functions.prefix(most).map { Function(name: $0.key.name, image: $0.key.image, own: $0.value) }
    let waits = count.waits.sorted { ($1.time, $0.function ?? "") < ($0.time, $1.function ?? "") }
    self.waits = Array(waits.prefix(most))
  }
}

/// Adds up the samples of a recording.
private struct RecordingCount {
  private struct WaitKey: Hashable {
    let wait: RecordedWait
    let name: String?
    let image: String?
  }

  struct FunctionKey: Hashable {
    let name: String
    let image: String?
  }

  private let recording: Recording
  private let kernel: KernelSymbols
  private(set) var threads: [Int32: RecordingSummary.Thread] = [:]
  private(set) var own: [FunctionKey: UInt64] = [:]
  private var waitsByKey: [WaitKey: RecordingSummary.Wait] = [:]
  /// The findings on stacks, by their numbers.
  private var innermost: [Int: FunctionKey] = [:]
  private var keys: [Int: WaitKey] = [:]

  init(_ recording: Recording, _ kernel: KernelSymbols) {
    self.recording = recording
    self.kernel = kernel
  }

  var waits: [RecordingSummary.Wait] { Array(waitsByKey.values) }

  mutating func add(_ sample: RecordedSample) {
    let known = recording.threads[sample.thread]
    var thread =
      threads[sample.thread]
      ?? RecordingSummary.Thread(
        id: sample.thread, process: known?.process ?? 0, name: known?.name ?? "", processName: known?.processName ?? "")
    thread.samples += 1
    switch recording.stacks[sample.stack].state {
    case .running:
      thread.running &+= sample.weight
      own[function(ofStack: sample.stack), default: 0] &+= sample.weight
    case .ready: thread.ready &+= sample.weight
    case .waitingSomewhere: thread.waiting &+= sample.weight
    case .waiting(let call, let function):
      thread.waiting &+= sample.weight
      let key = key(ofStack: sample.stack, call: call, function: function)
      var wait =
        waitsByKey[key]
        ?? RecordingSummary.Wait(
          call: key.wait.call, kernelFunction: key.wait.function, function: key.name, image: key.image)
      wait.time &+= sample.weight
      wait.count += 1
      waitsByKey[key] = wait
    }
    threads[sample.thread] = thread
  }

  private mutating func function(ofStack index: Int) -> FunctionKey {
    if let known = innermost[index] { return known }
    let stack = recording.stacks[index]
    var found = FunctionKey(name: "[no stack]", image: nil)
    if let address = stack.kernel.first {
      found = FunctionKey(name: kernel.name(of: address) ?? "0x" + String(address, radix: 16), image: "[kernel]")
    } else if let place = places(stack).first {
      found = FunctionKey(name: place.name, image: place.image)
    }
    innermost[index] = found
    return found
  }

  private mutating func key(ofStack index: Int, call: String?, function: String?) -> WaitKey {
    if let known = keys[index] { return known }
    let stack = recording.stacks[index]
    let places = places(stack)
    // The C library only passes a wait on.
    let responsible = places.first { !Self.passesOn($0.image ?? "") } ?? places.first
    let key = WaitKey(
      wait: RecordedWait(stack, kernel, call: call, function: function), name: responsible?.name,
      image: responsible?.image)
    keys[index] = key
    return key
  }

  private static func passesOn(_ image: String) -> Bool {
    ["libc.", "libc-", "libpthread", "ld-linux", "ld-musl", "[vdso"].contains { image.hasPrefix($0) }
  }

  /// The functions of a stack, innermost first.
  private func places(_ stack: RecordedStack) -> [RecordedPlace] {
    guard let index = stack.stack else { return [] }
    let report = recording.spaces[stack.space]
    return report.threads[index].frames.indices.flatMap { report.places(ofFrame: $0, inStack: index) }
  }
}
