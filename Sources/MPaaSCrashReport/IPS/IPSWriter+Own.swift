package import MPaaSBase

extension IPSWriter {
  /// The member `mpaas`: what Apple's layout has no place for, or rounds.
  static func own(_ report: CrashReport) -> JSONValue.Object {
    var own: JSONValue.Object = [:]
    if report.origin != .foreign {
      own["version"] = 1
      own["origin"] = .string(report.origin.rawValue)
    }
    if report.isPartial { own["partial"] = true }
    own["appKey"] = report.application.appKey.map(JSONValue.string)
    own["userIDHash"] = report.application.userIDHash.map(JSONValue.string)
    own["kernel"] = report.system.kernel.map(JSONValue.string)
    own["freeMemory"] = report.process.freeMemory.map { JSONValue($0) }
    own["residentMemory"] = report.process.residentMemory.map { JSONValue($0) }
    own["processUptime"] = report.process.uptime.flatMap { JSONValue($0) }
    own["systemUptime"] = report.process.systemUptime.flatMap { $0 == $0.rounded(.down) ? nil : JSONValue($0) }
    own["captureTime"] = exact(report.captured)
    own["procLaunch"] = report.launched.flatMap(exact)
    own["system"] = exact(report.system)
    if report.kind == .other { own["kind"] = .string(report.kind.rawValue) }
    own["thrown"] = report.thrown.map { thrown in
      var object: JSONValue.Object = ["name": .string(thrown.name)]
      object["reason"] = thrown.reason.map(JSONValue.string)
      return .object(object)
    }
    own["exception"] = report.exception.map { .object(ownException($0)) }
    if !report.breadcrumbs.isEmpty {
      own["breadcrumbs"] = .array(
        report.breadcrumbs.map { ["time": .string($0.time.text(digits: 9)), "name": .string($0.name)] })
    }
    own["hang"] = report.hang.map { .object(hang($0)) }
    if !report.luaStack.isEmpty { own["luaStack"] = .array(report.luaStack.map(luaFrame)) }
    return own
  }

  private static func luaFrame(_ frame: CrashReport.LuaFrame) -> JSONValue {
    var object: JSONValue.Object = [
      "patch": .string(frame.patch), "file": .string(frame.file), "function": .string(frame.function),
    ]
    object["line"] = frame.line.map { JSONValue($0) }
    return .object(object)
  }

  /// The time to the nanosecond, where Apple's four digits lose something.
  private static func exact(_ time: CrashReport.Timestamp) -> JSONValue? {
    time.nanoseconds % 100_000 == 0 ? nil : .string(time.text(digits: 9))
  }

  /// Name and version apart, where they cannot be told apart in Apple's `train`.
  private static func exact(_ system: CrashReport.OperatingSystem) -> JSONValue? {
    let (name, version) = nameAndVersion(train(system))
    guard name != system.name || version != system.version else { return nil }
    return ["name": .string(system.name), "version": .string(system.version)]
  }

  private static func ownException(_ exception: CrashReport.Exception) -> JSONValue.Object {
    var own: JSONValue.Object = [
      "signalNumber": JSONValue(exception.signalNumber), "code": JSONValue(exception.code),
    ]
    own["codeName"] = exception.codeName.map(JSONValue.string)
    own["address"] = exception.address.map { JSONValue($0) }
    own["sender"] = exception.senderPID.map { JSONValue($0) }
    return own
  }

  /// Apple's form of the exception: `codes` are the code and the address, `subtype` says the same in words.
  package static func exception(_ exception: CrashReport.Exception) -> JSONValue.Object {
    let code = UInt64(UInt32(bitPattern: exception.code))
    let raw = [code, exception.address ?? 0]
    var object: JSONValue.Object = [
      "type": .string(exception.type), "signal": .string(exception.signal),
      "codes": .string(raw.map { CrashText.address($0) }.joined(separator: ", ")),
      "rawCodes": .array(raw.map { JSONValue($0) }),
    ]
    object["subtype"] = CrashText.subtype(exception).map(JSONValue.string)
    return object
  }

  package static func termination(_ exception: CrashReport.Exception) -> JSONValue? {
    guard exception.signalNumber > 0 else { return nil }
    var object: JSONValue.Object = [
      "namespace": "SIGNAL", "code": JSONValue(exception.signalNumber), "flags": 0,
      "indicator": .string(CrashText.indicator(exception)),
    ]
    object["byPid"] = exception.senderPID.map { JSONValue($0) }
    return .object(object)
  }
}
