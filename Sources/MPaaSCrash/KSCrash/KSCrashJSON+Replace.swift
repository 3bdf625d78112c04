package import MPaaSCrashReport
package import MPaaSSupport

extension KSCrashJSON {
  /// The JSON with the symbols that `report` knows better, and every other member as it is.
  ///
  /// A frame gets `symbol_name`, `symbol_addr` where the start of the function is known, `file` and `line`; calls that
  /// were inlined into it stand as `inlined`, innermost first. Frames are matched by their places and addresses.
  package static func replacingFrames(
    in original: JSONValue.Object, with report: CrashReport
  ) -> JSONValue.Object {
    var object = original
    if let first = object["recrash_report"]?.object, first["crash"] != nil, first["recrash_report"] == nil {
      object["recrash_report"] = .object(replacingFrames(in: first, with: report))
      return object
    }
    guard var crash = object["crash"]?.object else { return object }
    if let threads = crash["threads"]?.array, !threads.isEmpty {
      crash["threads"] = .array(
        threads.enumerated().map { index, thread in
          report.threads.indices.contains(index) ? replacing(thread, report.threads[index]) : thread
        })
    } else if let thread = crash["crashed_thread"], let known = report.threads.first {
      crash["crashed_thread"] = replacing(thread, known)
    }
    object["crash"] = .object(crash)
    return object
  }

  /// The same for the bytes of a file; members are sorted by name.
  package static func replacingFrames(
    in original: UnsafeRawBufferPointer, with report: CrashReport
  ) throws(ReportError) -> String {
    JSONValue.object(replacingFrames(in: try IPSReader.object(original), with: report)).line + "\n"
  }

  private static func replacing(_ value: JSONValue, _ thread: CrashReport.Thread) -> JSONValue {
    guard var object = value.object, var backtrace = object["backtrace"]?.object,
      let contents = backtrace["contents"]?.array
    else { return value }
    var place = -1
    backtrace["contents"] = .array(
      contents.map { value in
        guard let frame = value.object else { return value }
        place += 1
        guard thread.frames.indices.contains(place) else { return value }
        return .object(replacing(frame, thread.frames[place]))
      })
    object["backtrace"] = .object(backtrace)
    return .object(object)
  }

  private static func replacing(_ object: JSONValue.Object, _ frame: CrashReport.Frame) -> JSONValue.Object {
    guard JSONMembers.address(object["instruction_addr"]) == frame.address, let last = frame.calls.last else {
      return object
    }
    var object = object
    let inlined = last.isInlined ? frame.calls : frame.calls.dropLast()
    if !last.isInlined {
      let members = KSCrashFrames.members(of: last, at: frame.address)
      // An address that stood beside another name would be a wrong one.
      if members["symbol_name"] != object["symbol_name"] { object["symbol_addr"] = nil }
      object.merge(members) { $1 }
    }
    object["inlined"] =
      inlined.isEmpty ? nil : .array(inlined.map { .object(KSCrashFrames.members(of: $0, at: frame.address)) })
    return object
  }
}
