import MPaaSCrashReport
import MPaaSSupport

extension AppleCrashText {
  /// Fills the report with what the text tells.
  static func fill(_ report: inout CrashReport, from layout: AppleCrashLayout) {
    fillProcess(&report, layout)
    fillSystem(&report, layout)
    let architecture = architecture(report.process.cpuType)
    report.images = layout.images.filter { !$0.isNowhere }.map { $0.image(architecture: architecture) }
    fillStacks(&report, layout)
    fillException(&report, layout)
    fillWords(&report, layout)
    report.keep(inBody: body(layout))
  }

  private static func fillProcess(_ report: inout CrashReport, _ layout: AppleCrashLayout) {
    report.incident = layout["Incident Identifier"] ?? ""
    let (name, pid) = nameAndNumber(layout["Process"] ?? "")
    report.process.name = name
    report.process.pid = pid ?? 0
    report.process.path = layout["Path"] ?? ""
    if let parent = layout["Parent Process"] {
      let (name, pid) = nameAndNumber(parent)
      report.process.parentName = name.isEmpty ? nil : name
      report.process.parentPID = pid
    }
    report.process.userID = layout["User ID"].flatMap(UInt32.init)
    report.process.cpuType = layout["Code Type"]?.split(separator: " ").first.map(String.init) ?? ""
    report.process.systemUptime = layout["Time Awake Since Boot"]?.split(separator: " ").first.flatMap { Double($0) }
      .flatMap { $0.isFinite ? $0 : nil }
    report.application.name = name
    report.application.identifier = layout["Identifier"]
    let (version, build) = versionAndBuild(layout["Version"])
    report.application.version = version
    report.application.build = build
  }

  private static func fillSystem(_ report: inout CrashReport, _ layout: AppleCrashLayout) {
    report.system.model = layout["Hardware Model", "Hardware model"]
    if let text = layout["OS Version"] {
      (report.system.name, report.system.version, report.system.build) = IPSReader.nameVersionBuild(text)
      // So `spindump` writes it: iPhone OS 17.4 (Build 21E236).
      if report.system.build.hasPrefix("Build ") { report.system.build.removeFirst(6) }
    }
    report.captured = layout["Date/Time"].flatMap(CrashReport.Timestamp.init) ?? CrashReport.Timestamp()
    report.launched = layout["Launch Time"].flatMap(CrashReport.Timestamp.init)
  }

  /// `Demo [6209]` in its two parts.
  static func nameAndNumber(_ text: String) -> (String, Int32?) {
    let bytes = Array(text.utf8)[...]
    guard let open = bytes.range(of: "[", last: true), text.hasSuffix("]") else { return (text, nil) }
    return (bytes[..<open.lowerBound].trimmed.text, Int32(bytes[open.upperBound...].dropLast().text))
  }

  /// `1.0 (4)`: the marketing version and the build number.
  static func versionAndBuild(_ text: String?) -> (String?, String?) {
    guard let text else { return (nil, nil) }
    let bytes = Array(text.utf8)[...]
    guard text.hasSuffix(")"), let open = bytes.range(of: "(", last: true) else { return (text, nil) }
    let version = bytes[..<open.lowerBound].trimmed.text
    return (version.isEmpty ? nil : version, bytes[open.upperBound...].dropLast().text)
  }

  /// An image's word for what `Code Type` names.
  static func architecture(_ cpuType: String) -> String {
    switch cpuType {
    case "ARM-64": "arm64"
    case "X86-64": "x86_64"
    case "X86": "i386"
    case "ARM": "arm"
    default: ""
    }
  }

  private static func fillStacks(_ report: inout CrashReport, _ layout: AppleCrashLayout) {
    let table = ImageTable(report.images)
    func frames(_ stack: AppleCrashLayout.Stack) -> [CrashReport.Frame] {
      groups(stack.rows).map { frame(stack.rows[$0], report.images, table) }
    }
    for (index, stack) in layout.threads.enumerated() {
      var thread = CrashReport.Thread(id: 0)
      thread.name = stack.name
      thread.queue = stack.queue
      thread.cut = stack.cut
      thread.frames = frames(stack)
      if stack.number != index { thread.extra["apple_text"] = ["number": JSONValue(stack.number)] }
      report.threads.append(thread)
      if stack.isCrashed, report.faultingThread == nil { report.faultingThread = index }
    }
    report.lastExceptionBacktrace = frames(exceptionStack(layout))
    if report.lastExceptionBacktrace.isEmpty {
      report.lastExceptionBacktrace = layout.exceptionAddresses.map { address in
        var frame = CrashReport.Frame(address: address)
        frame.image = table.index(of: address)
        return frame
      }
    }
    if let number = layout["Triggered by Thread", "Crashed Thread", "Highlighted Thread"]?.split(separator: " ").first
      .flatMap({ Int($0) })
    {
      report.faultingThread = layout.threads.firstIndex { $0.number == number } ?? report.faultingThread
    }
    fillRegisters(&report, layout)
  }

  /// The stack of the exception: macOS prints it as a backtrace of the application's own.
  static func exceptionStack(_ layout: AppleCrashLayout) -> AppleCrashLayout.Stack {
    if !layout.exception.rows.isEmpty { return layout.exception }
    guard layout.exceptionAddresses.isEmpty, layout.specific.count == 1 else { return layout.exception }
    return layout.specific[0]
  }

  /// The rows of each frame: inlined calls stand before the function that they were inlined into.
  static func groups(_ rows: [AppleCrashLayout.FrameRow]) -> [Range<Int>] {
    var groups: [Range<Int>] = []
    var start = 0
    while start < rows.count {
      var end = start + 1
      while end < rows.count, rows[end - 1].frame.call?.isInlined == true,
        rows[end].frame.address == rows[start].frame.address
      {
        end += 1
      }
      groups.append(start..<end)
      start = end
    }
    return groups
  }

  private static func frame(
    _ rows: ArraySlice<AppleCrashLayout.FrameRow>, _ images: [CrashReport.Image], _ table: ImageTable
  ) -> CrashReport.Frame {
    guard let first = rows.first?.frame else { return CrashReport.Frame(address: 0) }
    var frame = CrashReport.Frame(address: first.address)
    frame.calls = rows.compactMap(\.frame.call)
    frame.image = table.index(of: first.address)
    let name = frame.image.map { images[$0] }
    if name?.name != first.image, name?.extra["CFBundleIdentifier"]?.string != first.image, first.image != "???" {
      frame.extra["apple_text"] = ["image": .string(first.image)]
    }
    return frame
  }

  private static func fillRegisters(_ report: inout CrashReport, _ layout: AppleCrashLayout) {
    guard let title = layout.stateTitle, !layout.registers.isEmpty else { return }
    let number = title.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    guard let index = layout.threads.firstIndex(where: { $0.number == number }) else { return }
    let state = layout.registers + processorState(layout)
    report.threads[index].registers = CrashReport.Registers(
      flavor: AppleRegister.flavor(title),
      values: state.map { .init($0.name == "rfl" ? "rflags" : $0.name, $0.value) })
    let words = state.compactMap { register in register.words.map { (register.name, $0) } }
    guard !words.isEmpty else { return }
    let described = words.map { ($0.0, JSONValue.object(["description": .string($0.1)])) }
    report.threads[index].extra["threadState"] = .object(JSONValue.Object(described) { $1 })
  }

  /// The lines below the registers of Intel's processors: `Logical CPU`, `Error Code` and `Trap Number`.
  private static func processorState(_ layout: AppleCrashLayout) -> [AppleRegister] {
    let rows = [("err", "Error Code"), ("trap", "Trap Number"), ("cpu", "Logical CPU")]
    return rows.compactMap { name, key in
      guard let text = layout[key] else { return nil }
      var rest = Array(text.utf8)[...]
      guard let value = rest.takeAddress() ?? rest.takeNumber().map(UInt64.init) else { return nil }
      return AppleRegister(name: name, value: value, words: rest.isBlank ? nil : rest.trimmed.text)
    }
  }
}
