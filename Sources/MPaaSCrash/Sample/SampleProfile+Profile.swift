import MPaaSCrashReport
package import MPaaSProfile

extension SampleProfile {
  /// The samples as a profile, by function where they are symbolicated and by image and offset where they are not.
  ///
  /// Functions that were inlined have frames of their own. Equal stacks of a thread are one sample that weighs as many.
  package var profile: Profile {
    var profile = Profile(name: report.process.name)
    profile.period = Int64(clamping: interval)
    let images = report.images.map { profile.image(Self.image($0)) }
    var threads: [UInt64: Int] = [:]
    for (stack, (thread, count)) in zip(report.threads, counts).enumerated() {
      let row = threads[thread.id] ?? profile.addThread(named: thread, of: report.process)
      threads[thread.id] = row
      var prefix: Int?
      for index in thread.frames.indices.reversed() {
        for frame in frames(index, inStack: stack, images, &profile) {
          prefix = profile.stack(on: prefix, frame: frame)
        }
      }
      profile.threads[row].append(stack: prefix ?? -1, weight: Int64(count))
    }
    return profile
  }

  private static func image(_ image: CrashReport.Image) -> ProfileImage {
    ProfileImage(
      name: image.name.isEmpty ? "(code without a file)" : image.name, path: image.path, uuid: image.buildID,
      start: image.base, end: image.base &+ image.size)
  }

  /// The rows of a frame's functions, outermost first: the function itself, then what was inlined into it.
  private func frames(
    _ index: Int, inStack stack: Int, _ images: [Int], _ profile: inout Profile
  ) -> [Int] {
    let frame = report[stack: stack][index]
    let address = report.lookupAddress(ofFrame: index, inStack: stack)
    let image = frame.image.flatMap { images.indices.contains($0) ? images[$0] : nil }
    guard frame.calls.isEmpty else {
      return frame.calls.reversed().map { call in
        let function = profile.function(call.function, image: image, file: call.file ?? "")
        return profile.frame(function, address: address, line: call.line ?? 0)
      }
    }
    let offset = image.map {
      "\(profile.images[$0].name) + 0x" + String(address &- profile.images[$0].start, radix: 16)
    }
    return [
      profile.frame(profile.function(offset ?? "0x" + String(address, radix: 16), image: image), address: address)
    ]
  }
}

extension Profile {
  fileprivate mutating func addThread(named thread: CrashReport.Thread, of process: CrashReport.Process) -> Int {
    addThread(
      ProfileThread(
        name: thread.name ?? "", id: Int64(clamping: thread.id), process: Int64(process.pid), processName: process.name)
    )
  }
}
