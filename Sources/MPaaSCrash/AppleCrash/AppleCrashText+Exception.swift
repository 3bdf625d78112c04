import MPaaSCrashReport
import MPaaSSupport

extension AppleCrashText {
  static func fillException(_ report: inout CrashReport, _ layout: AppleCrashLayout) {
    guard let text = layout["Exception Type"] else { return }
    let words = text.split(whereSeparator: { $0 == " " || $0 == "(" || $0 == ")" }).map(String.init)
    let signal = words.first { $0.hasPrefix("SIG") } ?? ""
    let number = SignalTable.darwin.number(signal) ?? 0
    let type = words.first.flatMap { $0.hasPrefix("SIG") ? nil : $0 } ?? SignalTable.darwin.exceptionType(number)
    var exception = CrashReport.Exception(type: type, signal: signal, signalNumber: number, code: 0)
    // `KERN_INVALID_ADDRESS at 0x10` stands in the codes of older reports, in the subtype of newer ones.
    for text in [layout["Exception Subtype"], layout["Exception Codes"]].compactMap({ $0 }) {
      guard exception.codeName == nil, let (name, address) = codeAndAddress(text) else { continue }
      exception.codeName = name
      exception.address = address
    }
    report.exception = exception
  }

  /// `KERN_INVALID_ADDRESS at 0x0000000000000010` in its two parts; a code that is only a number (`#0`) has no name.
  static func codeAndAddress(_ text: String) -> (String?, UInt64?)? {
    let bytes = Array(text.utf8)[...]
    guard let at = bytes.range(of: " at ") else { return nil }
    let name = bytes[..<at.lowerBound].text
    var rest = bytes[at.upperBound...]
    return (name.hasPrefix("#") ? nil : name, rest.takeAddress())
  }

  /// The last words of the process or its runtime.
  static func fillWords(_ report: inout CrashReport, _ layout: AppleCrashLayout) {
    guard let text = layout["Application Specific Information"] else { return }
    report.lastWords["unknown"] = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    report.thrown = CrashReport.ThrownException(lastWords: report.lastWords)
  }

  /// The members of an .ips body that the rows stand for, where the model has none.
  static func body(_ layout: AppleCrashLayout) -> JSONValue.Object {
    var body: JSONValue.Object = [:]
    func put(_ member: String, _ keys: String...) {
      for key in keys where body[member] == nil { body[member] = layout[key].map(JSONValue.string) }
    }
    put("crashReporterKey", "CrashReporter Key", "Anonymous UUID")
    put("procRole", "Role")
    put("basebandVersion", "Baseband Version")
    put("sip", "System Integrity Protection")
    put("sleepWakeUUID", "Sleep/Wake UUID")
    put("vmRegionInfo", "VM Region Info")
    put("vmSummary", "VM Region Summary")
    put("ktriageinfo", "Kernel Triage")
    if layout["Exception Note"] == "EXC_CORPSE_NOTIFY" { body["isCorpse"] = 1 }
    if layout["Code Type"]?.hasSuffix("(Translated)") == true { body["translated"] = true }
    for (name, member) in [("Responsible", "responsible"), ("Coalition", "coalition")] {
      guard let (text, number) = layout[name].map(nameAndNumber) else { continue }
      body[member == "coalition" ? "coalitionName" : "responsibleProc"] = .string(text)
      body[member == "coalition" ? "coalitionID" : "responsiblePid"] = number.map { JSONValue($0) }
    }
    if let release = layout["Release Type"] { body["osVersion"] = ["releaseType": .string(release)] }
    if let wake = layout["Time Since Wake"]?.split(separator: " ").first.flatMap({ Int64($0) }) {
      body["wakeTime"] = JSONValue(wake)
    }
    if !layout.specific.isEmpty {
      body["asiBacktraces"] = .array(
        layout.specific.map { stack in
          .string(stack.rows.map { layout.bytes[$0.line].text }.joined(separator: "\n"))
        })
    }
    body["exception"] = exception(layout)
    body["termination"] = termination(layout)
    return body
  }

  private static func exception(_ layout: AppleCrashLayout) -> JSONValue? {
    var exception: JSONValue.Object = [:]
    if let codes = layout["Exception Codes"] {
      let words = codes.split(separator: ",").map { Array($0.utf8)[...].trimmed }
      let raw = words.compactMap { word in
        var word = word
        return word.takeAddress()
      }
      exception["codes"] = .string(codes)
      if raw.count == words.count { exception["rawCodes"] = .array(raw.map { JSONValue($0) }) }
    }
    exception["subtype"] = layout["Exception Subtype"].map(JSONValue.string)
    exception["message"] = layout["Exception Message"].map(JSONValue.string)
    return exception.isEmpty ? nil : .object(exception)
  }

  /// `SIGNAL 11 Segmentation fault: 11`, `Namespace SIGNAL, Code 0xb`, with details on the lines below.
  private static func termination(_ layout: AppleCrashLayout) -> JSONValue? {
    var object: JSONValue.Object = [:]
    if let reason = layout["Termination Reason"] {
      var lines = reason.split(separator: "\n").map(String.init)
      let first = lines.isEmpty ? "" : lines.removeFirst()
      var words = first.split(whereSeparator: { $0 == " " || $0 == "," }).filter { $0 != "Namespace" && $0 != "Code" }
      object["namespace"] = words.isEmpty ? nil : .string(String(words.removeFirst()))
      if let word = words.first, let code = number(word) {
        object["code"] = JSONValue(code)
        words.removeFirst()
      }
      if !words.isEmpty { object["indicator"] = .string(words.joined(separator: " ")) }
      if !lines.isEmpty { object["details"] = IPSWriter.strings(lines) }
    }
    if let process = layout["Terminating Process"] {
      let (name, pid) = nameAndNumber(process)
      object["byProc"] = .string(name)
      object["byPid"] = pid.map { JSONValue($0) }
    }
    if object["indicator"] == nil { object["indicator"] = layout["Termination Signal"].map(JSONValue.string) }
    return object.isEmpty ? nil : .object(object)
  }

  private static func number(_ word: Substring) -> UInt64? {
    var bytes = Array(word.utf8)[...]
    if let value = bytes.takeAddress(), bytes.isEmpty { return value }
    return UInt64(word)
  }
}
