import ArgumentParser
import CommandKit
import MPaaSCrash
import MPaaSNetworkConditions
import MPaaSSampling
import MPaaSSupport
import MPaaSTerminal

extension PerfCommand {
  /// `mpaas perf heap PID|CORE`: what the memory of a process is, and what of it grew.
  struct Heap: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("heap", key: "perf.heap") }

    @Argument(help: .text("command.perf.heap.subject", valueName: "pid|core"), completion: .file())
    var subject: String

    @Option(name: [.short, .long], help: .text("command.perf.heap.interval", valueName: "time"))
    var interval: String?

    @Option(name: [.short, .long], help: .text("command.perf.heap.most", valueName: "number"))
    var most = 15

    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> MemoryView {
      guard let process = Int32(subject), process > 0 else {
        guard interval == nil else { throw Diagnostic("perf-heap-core-interval", exit: .usage) }
        return MemoryView(
          subject: subject, MemoryMap(try CoreFile(try Bytes.mapping(subject))), growth: nil, most: most)
      }
      let before = try MemoryMap.live(process)
      guard let interval else { return MemoryView(subject: subject, before, growth: nil, most: most) }
      guard let pause = Quantity.duration(interval), pause > .zero else {
        throw Diagnostic("perf-interval", ["value": interval], exit: .usage)
      }
      try await Task.sleep(for: pause)
      let after = try MemoryMap.live(process)
      return MemoryView(subject: subject, after, growth: MemoryGrowth(from: before, to: after), most: most)
    }
  }
}
