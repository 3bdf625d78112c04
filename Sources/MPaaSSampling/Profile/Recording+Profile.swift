import MPaaSCrash
import MPaaSCrashReport
package import MPaaSProfile

extension Recording {
  /// The weights of a recording's samples: how many, time on processors, time by the clock.
  package static let sampleTypes: [SampleType] = [.samples, .cpu, .wall]

  /// The samples as a profile, with the symbols that the reports have by now.
  ///
  /// - Parameter kernel: The functions of the kernel that it was recorded on.
  package func profile(_ kernel: KernelSymbols) -> Profile {
    var builder = ProfileBuilder(self, kernel)
    return builder.build()
  }

  /// The functions of this machine's kernel that the recording met; none where the kernel hides them.
  package func kernelSymbols() -> KernelSymbols { KernelSymbols.live(wanted: Array(Set(stacks.flatMap(\.kernel)))) }
}

/// Puts a recording's stacks into the columns of a profile.
private struct ProfileBuilder {
  private let recording: Recording
  private let kernel: KernelSymbols
  private var profile: Profile
  private var rows: [Int?]
  private var images: [Int: [Int: Int]] = [:]

  init(_ recording: Recording, _ kernel: KernelSymbols) {
    self.recording = recording
    self.kernel = kernel
    profile = Profile(name: recording.name, types: Recording.sampleTypes)
    rows = [Int?](repeating: nil, count: recording.stacks.count)
    profile.period = Int64(1_000_000_000 / max(recording.rate, 1))
    profile.start = recording.start
    profile.duration = Int64(clamping: recording.duration)
  }

  mutating func build() -> Profile {
    var places: [Int32: Int] = [:]
    for id in Set(recording.samples.map(\.thread)).sorted() {
      let known = recording.threads[id]
      let thread = ProfileThread(
        name: known?.name ?? "", id: Int64(id), process: Int64(known?.process ?? 0),
        processName: known?.processName ?? "")
      places[id] = profile.addThread(thread)
    }
    for sample in recording.samples {
      guard let place = places[sample.thread] else { continue }
      let row = row(sample.stack)
      let isRunning = recording.stacks[sample.stack].state == .running
      let weight = Int64(clamping: sample.weight)
      profile.threads[place].append(
        stack: row, weights: [1, isRunning ? weight : 0, weight], time: Int64(clamping: sample.time),
        state: isRunning ? .onCPU : .offCPU)
    }
    return profile
  }

  private mutating func row(_ stack: Int) -> Int {
    if let row = rows[stack] { return row }
    let recorded = recording.stacks[stack]
    var row: Int?
    if let stack = recorded.stack {
      for frame in recording.spaces[recorded.space].threads[stack].frames.indices.reversed() {
        row = add(frame, ofStack: stack, in: recorded.space, on: row)
      }
    }
    for name in names(above: recorded) { row = add(kernelFunction: name, on: row) }
    let made = row ?? add(kernelFunction: "[no stack]", on: nil)
    rows[stack] = made
    return made
  }

  /// Adds the functions of a frame, outermost first: the function itself, then what was inlined into it.
  private mutating func add(_ index: Int, ofStack stack: Int, in space: Int, on prefix: Int?) -> Int {
    let report = recording.spaces[space]
    let frame = report.threads[stack].frames[index]
    let image = frame.image.flatMap { report.images.indices.contains($0) ? $0 : nil }
    let imageRow = image.map { self.image(report.images[$0], $0, in: space) }
    var row = prefix
    for place in report.places(ofFrame: index, inStack: stack).reversed() {
      let function = profile.function(place.name, image: imageRow, file: place.file ?? "")
      row = profile.stack(on: row, frame: profile.frame(function, address: frame.address, line: place.line ?? 0))
    }
    return row ?? 0
  }

  private mutating func image(_ image: CrashReport.Image, _ index: Int, in space: Int) -> Int {
    if let row = images[space]?[index] { return row }
    let row = profile.image(
      ProfileImage(
        name: image.name, path: image.path, uuid: image.buildID, start: image.base, end: image.base &+ image.size))
    images[space, default: [:]][index] = row
    return row
  }

  private mutating func add(kernelFunction name: String, on prefix: Int?) -> Int {
    let image = profile.image(ProfileImage(name: "[kernel]"))
    return profile.stack(on: prefix, frame: profile.frame(profile.function(name, image: image)))
  }

  /// The names that stand above the program's own functions: the kernel's at work, or what is waited for.
  private func names(above stack: RecordedStack) -> [String] {
    switch stack.state {
    case .running: stack.kernel.reversed().map { kernel.name(of: $0) ?? "0x" + String($0, radix: 16) }
    case .ready: ["[ready: waits for a processor]"]
    case .waiting(let call, let function): [RecordedWait(stack, kernel, call: call, function: function).label]
    case .waitingSomewhere: ["[waits: place not sampled]"]
    }
  }
}
