import CrashReporter
import Dispatch
import Foundation
import HangFaults
import MPaaSPerformance

/// Hangs one after the other, with what the monitor tells of each.
final class HangScript: Sendable {
  /// Kinds, with their lengths and the seconds of rest before them.
  private let steps: [(kind: HangKind, nanoseconds: UInt64, rest: Double)]
  private let folder: String
  private let told = Told()

  /// - Parameter words: `KIND:MILLISECONDS`, and `:MILLISECONDS` of rest before.
  init(words: [String], folder: String) {
    steps = words.compactMap { word in
      let parts = word.split(separator: ":")
      guard parts.count >= 2, let kind = HangKind(rawValue: String(parts[0])), let length = UInt64(parts[1]) else {
        return nil
      }
      let rest = parts.count == 3 ? Double(parts[2]) ?? 0 : 100
      return (kind, length * 1_000_000, rest / 1000)
    }
    self.folder = folder
  }

  func begin() {
    do {
      try CrashReporter.install(.init(directory: folder, version: "1.0"))
      let told = told
      try HangMonitor(directory: folder).start { told.append($0) }
    } catch {
      tell(error)
      exit(1)
    }
    later(0.3) { self.rest(0) }
  }

  private func later(_ seconds: Double, _ work: @escaping @MainActor @Sendable () -> Void) {
    DispatchQueue.main.asyncAfter(deadline: .now() + seconds) { MainActor.assumeIsolated { work() } }
  }

  @MainActor private func rest(_ number: Int) {
    guard number < steps.count else { exit(0) }
    // Not in step with the monitor's looks.
    later(steps[number].rest + Double((number * 37) % 29) / 1000) { self.step(number) }
  }

  @MainActor private func step(_ number: Int) {
    let step = steps[number]
    told.removeAll()
    step.kind.hang(step.nanoseconds) { measured in
      self.wait(number, measured: measured, turns: 0)
    }
  }

  /// Waits until the monitor tells of it, for as many turns as a slow machine may need.
  @MainActor private func wait(_ number: Int, measured: UInt64, turns: Int) {
    let hangs = told.all
    guard hangs.isEmpty, turns < 100 else {
      say(steps[number].kind, measured, hangs)
      return rest(number + 1)
    }
    later(0.02) { self.wait(number, measured: measured, turns: turns + 1) }
  }

  private func say(_ kind: HangKind, _ measured: UInt64, _ hangs: [Hang]) {
    let hang = hangs.max { $0.duration < $1.duration }
    let guilty = kind.guilty
    let named = hang?.samples.count { $0.functions.contains(guilty) } ?? 0
    let fields: [String] = [
      "\"kind\":\"\(kind.rawValue)\"", "\"measured\":\(Double(measured) / 1e9)", "\"count\":\(hangs.count)",
      "\"told\":\(Double(hang?.duration.nanosecondsOfTest ?? 0) / 1e9)",
      "\"expected\":\"\(kind.isBusy ? "busy" : "waiting")\"", "\"activity\":\"\(hang?.activity.rawValue ?? "none")\"",
      "\"share\":\(hang?.processorShare ?? -1)", "\"partly\":\(hang?.isPartly ?? false)",
      "\"samples\":\(hang?.samples.count ?? 0)", "\"named\":\(named)",
      "\"owner\":\(hang?.samples.last?.owner ?? 0)", "\"interruptions\":\(hang_interruptions())",
    ]
    tell("{" + fields.joined(separator: ",") + "}")
  }
}

extension TimeSpan {
  var nanosecondsOfTest: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }
}

/// The hangs that the monitor has told of, from its thread.
final class Told: @unchecked Sendable {
  private let lock = NSLock()
  private var hangs: [Hang] = []

  func append(_ hang: Hang) { lock.withLock { hangs.append(hang) } }
  func removeAll() { lock.withLock { hangs.removeAll() } }
  var all: [Hang] { lock.withLock { hangs } }
}
