import Foundation
import MPaaSTestSupport
import Testing

@testable import MPaaSCrash

/// What gdb says of a core: the trusted word on stacks.
enum Debugger {
  /// The program counters of each thread's frames, innermost first, without gdb's inlined frames.
  static func stacks(program: String, core: String, frames: Int = 60) throws -> [UInt64: [UInt64]] {
    let outcome = try Command.run(
      "gdb",
      [
        "-nx", "-batch", "-ex", "set print inferior-events off", "-ex", "set backtrace past-main on",
        "-ex", "set debuginfod enabled off", "-ex", "thread apply all -s frame apply \(frames) -q -s p/x $pc", program, core,
      ])
    var stacks: [UInt64: [UInt64]] = [:]
    var thread: UInt64 = 0
    for line in outcome.output.split(separator: "\n") {
      if line.hasPrefix("Thread "), let start = line.range(of: "LWP ") {
        thread = UInt64(line[start.upperBound...].prefix { $0.isNumber }) ?? 0
      } else if let value = line.range(of: "= 0x"), let address = UInt64(line[value.upperBound...], radix: 16) {
        if stacks[thread]?.last != address { stacks[thread, default: []].append(address) }
      }
    }
    return stacks
  }
}

extension CrashReport {
  /// The addresses of a thread's frames, as many as gdb was asked for.
  func addresses(of thread: UInt64, limit: Int = 60) -> [UInt64] {
    let frames = threads.first { $0.id == thread }?.frames ?? []
    var addresses: [UInt64] = []
    for frame in frames where frame.kind != .asynchronous && addresses.last != frame.address {
      addresses.append(frame.address)
    }
    return Array(addresses.prefix(limit))
  }

  var faulting: CrashReport.Thread? { faultingThread.map { threads[$0] } }
}
