package import MPaaSCrashReport
import MPaaSSupport

/// The text that PLCrashReporter makes of a `.plcrash` (`plcrashutil convert --format=iphone`), byte for byte.
///
/// - Source: microsoft/plcrashreporter, `Source/PLCrashReportTextFormatter.m`.
package struct PLCrashText {
  /// Names of the systems by the numbers of `PLCrashReport.proto`; the simulator runs on a Mac.
  static let systemNames: [UInt64: String] = [0: "Mac OS X", 1: "iPhone OS", 2: "Mac OS X", 4: "Apple tvOS"]

  /// A symbol without the underscore that Apple's linker names begin with.
  static func withoutUnderscore(_ symbol: String) -> String {
    symbol.hasPrefix("_") && symbol.utf8.count > 1 ? String(symbol.dropFirst()) : symbol
  }

  /// The text of a report that was read from a `.plcrash`, also where it went through .ips since.
  ///
  /// Nil for any other report, and for one that has been symbolicated: this layout has no place for lines.
  package static func text(of report: CrashReport) -> String? {
    guard let rest = report.extra["plcrash"]?.object, !hasLines(report) else { return nil }
    let text = PLCrashText(report: report, rest: rest)
    return text.header + text.exception + text.stacks + text.registers + text.images
  }

  private static func hasLines(_ report: CrashReport) -> Bool {
    report.stackIndices.contains { stack in
      report[stack: stack].contains { frame in
        frame.calls.count > 1 || frame.calls.contains { $0.line != nil }
      }
    }
  }

  private let report: CrashReport
  private let rest: JSONValue.Object
  private let is64: Bool

  private init(report: CrashReport, rest: JSONValue.Object) {
    self.report = report
    self.rest = rest
    is64 = !["ARM", "X86", "PPC"].contains(report.process.cpuType)
  }

  private var header: String {
    let process = report.process
    let own = rest["process_info"]?.object
    func known(_ value: String, _ key: String) -> String { value.isEmpty && own?[key] == nil ? "???" : value }
    func number(_ value: Int32?, _ key: String) -> String {
      guard let own else { return "???" }
      return (own[key]?.integer(UInt64.self)).map { "\($0)" } ?? "\(value ?? 0)"
    }
    let parent = own == nil ? "???" : process.parentName ?? "???"
    let build =
      report.system.build.isEmpty && rest["system_info"]?.object?["os_build"] == nil ? "???" : report.system.build
    let application = report.application
    let version = application.build ?? ""
    return """
      Incident Identifier: \(report.incident.isEmpty ? "???" : report.incident)
      Hardware Model:      \(report.system.model ?? "???")
      Process:         \(known(process.name, "process_name")) [\(number(process.pid, "process_id"))]
      Path:            \(known(process.path, "process_path"))
      Identifier:      \(application.identifier ?? "")
      Version:         \(application.version.map { "\($0) (\(version))" } ?? version)
      Code Type:       \(process.cpuType)
      Parent Process:  \(parent) [\(number(process.parentPID, "parent_process_id"))]

      Date/Time:       \(report.captured.text(digits: 0))
      OS Version:      \(report.system.name) \(report.system.version) (\(build))
      Report Version:  104


      """
  }

  private var exception: String {
    let code = rest["signal"]?.object?["code"]?.string ?? report.exception?.codeName ?? ""
    var text = "Exception Type:  \(report.exception?.signal ?? "")\n"
    text += "Exception Codes: \(code) at \(Self.short(report.exception?.address ?? 0, zero: "0x0"))\n"
    if let first = crashed.first { text += "Crashed Thread:  \(report.threads[first].id)\n" }
    text += "\n"
    if let thrown = report.thrown {
      text += "Application Specific Information:\n*** Terminating app due to uncaught exception "
      text += "'\(thrown.name)', reason: '\(thrown.reason ?? "")'\n\n"
    }
    if !report.lastExceptionBacktrace.isEmpty {
      text += "Last Exception Backtrace:\n" + frames(report.lastExceptionBacktrace) + "\n"
    }
    return text
  }

  /// The threads that crashed; usually one.
  private var crashed: [Int] {
    report.threads.indices.filter { index in
      report.threads[index].extra["plcrash"]?.object?["crashed"]?.bool ?? (index == report.faultingThread)
    }
  }

  private var stacks: String {
    let crashed = Set(crashed)
    return report.threads.enumerated().map { index, thread in
      "Thread \(thread.id)\(crashed.contains(index) ? " Crashed" : ""):\n" + frames(thread.frames) + "\n"
    }.joined()
  }

  private func frames(_ frames: [CrashReport.Frame]) -> String {
    frames.enumerated().map { index, frame in
      let image = frame.image.flatMap { report.images.indices.contains($0) ? report.images[$0] : nil }
      let place: String
      if let call = frame.calls.last {
        let known: UInt64? = frame.extra["plcrash"]?.object?["symbol"]?.object?["start_address"]?.integer()
        let offset = call.offset ?? known.map { frame.address &- $0 } ?? 0
        place = "\(call.function) + \(Int64(bitPattern: offset))"
      } else {
        let offset = image.map { frame.address &- $0.base } ?? 0
        place = "\(Self.short(image?.base ?? 0, zero: "0x0")) + \(Int64(bitPattern: offset))"
      }
      let name = Self.left(image?.name ?? "???", 35)
      return Self.left("\(index)", 4) + name + " 0x" + wide(frame.address) + " " + place + "\n"
    }.joined()
  }

  private var registers: String {
    guard let last = crashed.last else { return "" }
    let thread = report.threads[last]
    let isARM = rest["machine_info"]?.object?["processor"].flatMap(PLCrashWriter.processor)?.isARM ?? false
    var text = "Thread \(thread.id) crashed with \(report.process.cpuType) Thread State:\n"
    let values = thread.registers?.values ?? []
    for (index, register) in values.enumerated() {
      let name = isARM && register.name == "r12" ? "ip" : register.name
      text += Self.right(name, 6) + ": 0x" + wide(register.value) + " "
      if index % 4 == 3 || index == values.count - 1 { text += "\n" }
    }
    return text + "\n"
  }

  private var images: String {
    var text = "Binary Images:\n"
    var last: UInt64 = 0
    let sorted = report.images.enumerated().sorted { ($0.element.base, $0.offset) < ($1.element.base, $1.offset) }
    for image in sorted.map(\.element) where image.base != last {
      last = image.base
      let end = image.base &+ (max(1, image.size) - 1)
      let width = is64 ? 18 : 10
      let uuid = image.buildID.isEmpty && image.extra["plcrash"]?.object?["uuid"] == nil ? "???" : image.buildID
      let mark = image.path == report.process.path ? "+" : " "
      text += Self.right(Self.short(image.base, zero: "0"), width) + " - "
      text += Self.right(Self.short(end, zero: "0"), width) + " \(mark)\(image.name) "
      text += "\(image.architecture.isEmpty ? "???" : image.architecture)  <\(uuid)> \(image.path)\n"
    }
    return text
  }

  /// Hexadecimal with the prefix; zero as C's `%#x` or `0x%x` has it.
  private static func short(_ value: UInt64, zero: String) -> String {
    value == 0 ? zero : "0x" + String(value, radix: 16)
  }

  private func wide(_ value: UInt64) -> String { value.padded(to: is64 ? 16 : 8, radix: 16) }

  private static func left(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(width - text.utf16.count, 0))
  }

  private static func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(width - text.utf16.count, 0)) + text
  }
}
