import MPaaSCrashReport
import MPaaSSupport

extension IPSReader {
  /// Fills threads and images from a stackshot: the stacks of all processes at one time.
  ///
  ///     "binaryImages": [["<uuid>", base, "P"], …],
  ///     "processByPid": {"12": {"procname": "Demo", "threadById": {"345": {"userFrames": [[image, offset], …]}}}}
  ///
  /// - Source: the bodies of `stacks-….ips` and of kernel panics.
  static func fillStackshot(_ report: inout CrashReport, from body: JSONValue.Object) {
    guard let processes = body["processByPid"]?.object else { return }
    report.images = (body["binaryImages"]?.array ?? []).map { row in
      let row = row.array ?? []
      let base: UInt64 = row.dropFirst().first?.integer() ?? 0
      let uuid = row.first?.string ?? ""
      return CrashReport.Image(
        base: base, size: 0, buildID: IPSWriter.buildID(ofUUID: uuid), path: "", architecture: "", slide: base)
    }
    for (pid, process) in processes.sorted(by: { (Int($0.key) ?? 0, $0.key) < (Int($1.key) ?? 0, $1.key) }) {
      let name = process.object?["procname"] ?? ""
      let threads = process.object?["threadById"]?.object ?? [:]
      for (number, thread) in threads.sorted(by: { (UInt64($0.key) ?? 0, $0.key) < (UInt64($1.key) ?? 0, $1.key) }) {
        guard let object = thread.object else { continue }
        var own = CrashReport.Thread(id: object["id"]?.integer() ?? UInt64(number) ?? 0)
        own.name = object["name"]?.string
        own.queue = object["dispatch_queue_label"]?.string
        own.frames =
          stackshotFrames(object["kernelFrames"], report.images) + stackshotFrames(object["userFrames"], report.images)
        own.extra["process"] = ["pid": .string(pid), "name": name]
        report.threads.append(own)
      }
    }
  }

  /// Frames as pairs of an image's index and an offset, innermost first.
  private static func stackshotFrames(_ value: JSONValue?, _ images: [CrashReport.Image]) -> [CrashReport.Frame] {
    (value?.array ?? []).compactMap { pair in
      guard let index: Int = pair.array?.first?.integer(), let offset: UInt64 = pair.array?.last?.integer() else {
        return nil
      }
      guard images.indices.contains(index) else { return CrashReport.Frame(address: offset) }
      var frame = CrashReport.Frame(address: images[index].base &+ offset)
      frame.image = index
      return frame
    }
  }

  /// Names the process that a report of the whole system is about, where it names none itself: the one that was ended
  /// for want of memory, the one in front when the stacks were taken.
  static func nameProcess(_ report: inout CrashReport, from body: JSONValue.Object) {
    guard report.process.name.isEmpty else { return }
    let ended = (body["processes"]?.array ?? []).compactMap(\.object).first { $0["reason"]?.string != nil }
    if report.kind == .jetsam, let ended, let name = ended["name"]?.string {
      report.process.name = name
      report.process.pid = ended["pid"]?.integer() ?? 0
    } else if let pid: Int32 = body["frontmostPids"]?.array?.first?.integer(),
      let name = body["processByPid"]?.object?["\(pid)"]?.object?["procname"]?.string
    {
      report.process.name = name
      report.process.pid = pid
    }
  }
}
