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

    @Flag(name: .customLong("objects"), inversion: .prefixedNo, help: .text("command.perf.heap.objects"))
    var countsObjects = true

    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> MemoryView {
      guard let process = Int32(subject), process > 0 else {
        guard interval == nil else { throw Diagnostic("perf-heap-core-interval", exit: .usage) }
        let core = try CoreFile(path: subject)
        let objects = countsObjects ? try HeapObjects(core) : nil
        return MemoryView(subject: subject, MemoryMap(core), growth: nil, HeapObjectsView(objects), most: most)
      }
      let before = try look(at: process)
      guard let interval else {
        return MemoryView(
          subject: subject, before.map, growth: nil, HeapObjectsView(before.objects), most: most)
      }
      guard let pause = Quantity.duration(interval), pause > .zero else {
        throw Diagnostic("perf-interval", ["value": interval], exit: .usage)
      }
      try await Task.sleep(for: pause)
      let after = try look(at: process)
      return MemoryView(
        subject: subject, after.map, growth: MemoryGrowth(from: before.map, to: after.map),
        HeapObjectsView(after.objects, since: before.objects), most: most)
    }

    /// The memory, and the objects in it where the process may be stopped for that.
    private func look(at process: Int32) throws(CaptureError) -> (map: MemoryMap, objects: HeapObjects?) {
      guard countsObjects else { return (try MemoryMap.live(process), nil) }
      do throws(CaptureError) {
        let (map, objects) = try HeapObjects.live(process)
        return (map, objects)
      } catch {
        // What is only read may be looked at where a debugger holds the process.
        return (try MemoryMap.live(process), nil)
      }
    }
  }
}
