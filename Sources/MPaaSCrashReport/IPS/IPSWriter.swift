package import MPaaSBase

/// Writes a report in Apple's .ips layout: a line of JSON that says what the file is, then the report as JSON.
///
/// The members are described in `Documentation/CrashReport.md`. The same report always gives the same bytes.
package enum IPSWriter {
  /// The bytes of the file.
  package static func bytes(of report: CrashReport) -> [UInt8] {
    var text: [UInt8] = []
    JSONValue.object(header(of: report)).append(to: &text)
    text.append(UInt8(ascii: "\n"))
    append(body: body(of: report), to: &text)
    return text
  }

  /// Writes the file beside `path` and renames it into place.
  package static func write(_ report: CrashReport, to path: String) throws(FileError) {
    try Bytes(bytes(of: report)).write(to: path)
  }

  /// The first line of the file.
  package static func header(of report: CrashReport) -> JSONValue.Object {
    var header: JSONValue.Object = [
      "app_name": .string(report.application.name),
      "name": .string(report.application.name),
      "app_version": .string(report.application.version ?? ""),
      "build_version": .string(report.application.build ?? ""),
      "timestamp": .string(report.captured.text(digits: 2)),
      "incident_id": .string(report.incident),
      "bug_type": .string(report.kind.bugType),
      "os_version": .string(osVersion(report.system)),
    ]
    header["bundleID"] = report.application.identifier.map(JSONValue.string)
    header["slice_uuid"] = report.mainImage.map { .string(uuid($0.buildID)) }
    return IPSOverlay.merge(header, report.extraHeader)
  }

  /// The report itself: what follows the first line.
  package static func body(of report: CrashReport) -> JSONValue.Object {
    var body = facts(of: report)
    body["threads"] = .array(threads(of: report))
    body["usedImages"] = .array(images(of: report))
    if !report.lastExceptionBacktrace.isEmpty {
      body["lastExceptionBacktrace"] = frames(report.lastExceptionBacktrace, of: report)
    }
    return IPSOverlay.merge(body, report.extra)
  }

  /// The report as one JSON document: the body, with the first line as `header`.
  package static func document(of report: CrashReport) -> JSONValue.Object {
    var document = body(of: report)
    document["header"] = .object(header(of: report))
    return document
  }

  /// The body without its threads and images, and without what a foreign report had more.
  package static func facts(of report: CrashReport) -> JSONValue.Object {
    var body: JSONValue.Object = [
      "bug_type": .string(report.kind.bugType),
      "version": 2,
      "incident": .string(report.incident),
      "captureTime": .string(report.captured.text()),
      "osVersion": osVersionObject(report.system),
    ]
    body["procLaunch"] = report.launched.map { .string($0.text()) }
    body["modelCode"] = report.system.model.map(JSONValue.string)
    body["faultingThread"] = report.faultingThread.map { JSONValue($0) }
    let bundle = bundleInfo(report.application)
    if !bundle.isEmpty { body["bundleInfo"] = .object(bundle) }
    if !report.lastWords.isEmpty { body["asi"] = .object(report.lastWords.mapValues(strings)) }
    if !report.notes.isEmpty { body["reportNotes"] = strings(report.notes) }
    if let exception = report.exception {
      body["exception"] = .object(self.exception(exception))
      body["termination"] = termination(exception)
    }
    body.merge(process(report.process)) { $1 }
    let own = own(report)
    if !own.isEmpty { body["mpaas"] = .object(own) }
    return body
  }

  package static func strings(_ texts: [String]) -> JSONValue {
    .array(texts.map(JSONValue.string))
  }

  private static func process(_ process: CrashReport.Process) -> JSONValue.Object {
    var body: JSONValue.Object = [
      "procName": .string(process.name),
      "procPath": .string(process.path),
      "pid": JSONValue(process.pid),
      "cpuType": .string(process.cpuType),
    ]
    body["parentProc"] = process.parentName.map(JSONValue.string)
    body["parentPid"] = process.parentPID.map { JSONValue($0) }
    body["userID"] = process.userID.map { JSONValue($0) }
    body["uptime"] = process.systemUptime.flatMap { JSONValue($0.rounded(.down)) }
    return body
  }

  private static func bundleInfo(_ application: CrashReport.Application) -> JSONValue.Object {
    var bundle: JSONValue.Object = [:]
    bundle["CFBundleIdentifier"] = application.identifier.map(JSONValue.string)
    bundle["CFBundleShortVersionString"] = application.version.map(JSONValue.string)
    bundle["CFBundleVersion"] = application.build.map(JSONValue.string)
    return bundle
  }

  private static func osVersionObject(_ system: CrashReport.OperatingSystem) -> JSONValue {
    .object(["train": .string(train(system)), "build": .string(system.build)])
  }

  /// Name and version in one, as Apple's `train` has them.
  static func train(_ system: CrashReport.OperatingSystem) -> String {
    system.version.isEmpty ? system.name : "\(system.name) \(system.version)"
  }

  /// `iPhone OS 15.2.1` is `iPhone OS` and `15.2.1`: the version is a last word that begins with a digit.
  package static func nameAndVersion(_ train: String) -> (String, String) {
    guard let space = train.lastIndex(of: " "), train[train.index(after: space)...].first?.isNumber == true else {
      return (train, "")
    }
    return (String(train[..<space]), String(train[train.index(after: space)...]))
  }

  package static func osVersion(_ system: CrashReport.OperatingSystem) -> String {
    system.build.isEmpty ? train(system) : "\(train(system)) (\(system.build))"
  }

  /// Lays the body out as Apple does: a member a line, an element of `threads` and `usedImages` a line.
  private static func append(body: JSONValue.Object, to text: inout [UInt8]) {
    text += "{\n".utf8
    for (index, member) in body.sorted(by: { $0.key < $1.key }).enumerated() {
      if index > 0 { text += ",\n".utf8 }
      text += "  ".utf8
      JSONValue.append(member.key, to: &text)
      text += " : ".utf8
      if case .array(let elements) = member.value, elements.contains(where: { $0.object != nil }) {
        append(rows: elements, to: &text)
      } else {
        member.value.append(to: &text)
      }
    }
    text += "\n}\n".utf8
  }

  private static func append(rows: [JSONValue], to text: inout [UInt8]) {
    for (index, row) in rows.enumerated() {
      text += (index == 0 ? "[\n    " : ",\n    ").utf8
      row.append(to: &text)
    }
    text += "\n  ]".utf8
  }
}

extension CrashReport {
  /// The image of the program itself: the one at the process's path, else the first.
  package var mainImage: Image? {
    images.first { $0.path == process.path } ?? images.first
  }
}
