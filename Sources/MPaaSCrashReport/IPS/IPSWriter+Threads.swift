package import MPaaSBase

extension IPSWriter {
  package static func threads(of report: CrashReport) -> [JSONValue] {
    report.threads.enumerated().map { index, thread in
      var object = facts(of: thread, isTriggered: index == report.faultingThread)
      object["frames"] = frames(thread.frames, of: report)
      return .object(IPSOverlay.merge(object, thread.extra))
    }
  }

  /// Frames as objects, inlined calls each their own.
  package static func frames(_ frames: [CrashReport.Frame], of report: CrashReport) -> JSONValue {
    .array(frames.flatMap { Self.frames(of: $0, images: report.images).map(JSONValue.object) })
  }

  /// The thread without its frames, and without what a foreign report had more.
  package static func facts(of thread: CrashReport.Thread, isTriggered: Bool) -> JSONValue.Object {
    var object: JSONValue.Object = ["id": JSONValue(thread.id)]
    object["name"] = thread.name.map(JSONValue.string)
    object["queue"] = thread.queue.map(JSONValue.string)
    if isTriggered { object["triggered"] = true }
    object["mpaas"] = thread.cut.map { ["stackCut": .string($0.rawValue)] }
    object["threadState"] = thread.registers.map { .object(threadState($0)) }
    return object
  }

  /// A frame as Apple has it: one object for each inlined call, innermost first, and one for the function itself.
  package static func frames(of frame: CrashReport.Frame, images: [CrashReport.Image]) -> [JSONValue.Object] {
    var place: JSONValue.Object = [:]
    if let image = frame.image, images.indices.contains(image) {
      place["imageIndex"] = JSONValue(image)
      place["imageOffset"] = JSONValue(frame.address &- images[image].base)
    } else {
      place["imageIndex"] = JSONValue(images.count)
      place["imageOffset"] = JSONValue(frame.address)
    }
    if frame.kind != .physical { place["mpaas"] = ["kind": .string(frame.kind.rawValue)] }
    var objects = frame.calls.map { IPSOverlay.merge(place, self.call($0)) }
    if objects.isEmpty { objects = [place] }
    if frame.calls.last?.isInlined == true {
      // The function around the call is not known; without this the next frame could be taken for it.
      objects[objects.count - 1] = IPSOverlay.merge(objects[objects.count - 1], ["mpaas": ["last": true]])
    }
    objects[0] = IPSOverlay.merge(objects[0], frame.extra)
    return objects
  }

  private static func call(_ call: CrashReport.Call) -> JSONValue.Object {
    var object: JSONValue.Object = ["symbol": .string(call.function)]
    object["symbolLocation"] = call.offset.map { JSONValue($0) }
    object["sourceFile"] = call.file.map(JSONValue.string)
    object["sourceLine"] = call.line.map { JSONValue($0) }
    if call.isInlined { object["inline"] = true }
    var own: JSONValue.Object = [:]
    own["column"] = call.column.map { JSONValue($0) }
    own["symbol"] = call.symbol.map(JSONValue.string)
    if !own.isEmpty { object["mpaas"] = .object(own) }
    return object
  }

  package static func threadState(_ registers: CrashReport.Registers) -> JSONValue.Object {
    var state: JSONValue.Object = ["flavor": .string(registers.flavor)]
    let general = registers.generalARMRegisters
    if general > 0 {
      state["x"] = .array(registers.values[..<general].map { ["value": JSONValue($0.value)] })
    }
    for register in registers.values[general...] { state[register.name] = ["value": JSONValue(register.value)] }
    let names = registers.values.map(\.name)
    if names != CrashReport.Registers.sorted(names) { state["mpaas"] = ["order": strings(names)] }
    return state
  }

  package static func images(of report: CrashReport) -> [JSONValue] {
    var images = report.images.map { JSONValue.object(IPSOverlay.merge(facts(of: $0), $0.extra)) }
    let stacks = report.threads.map(\.frames) + [report.lastExceptionBacktrace]
    let needsNowhere = stacks.contains { frames in
      frames.contains { frame in !(frame.image.map(report.images.indices.contains) ?? false) }
    }
    if needsNowhere { images.append(.object(nowhere)) }
    return images
  }

  /// The image that Apple's reports give to addresses outside every image: offsets in it are addresses.
  static let nowhere: JSONValue.Object = [
    "source": "A", "base": 0, "size": 0, "uuid": .string(uuid("")),
  ]

  package static func facts(of image: CrashReport.Image) -> JSONValue.Object {
    var object: JSONValue.Object = [
      "source": "P", "arch": .string(image.architecture), "base": JSONValue(image.base),
      "size": JSONValue(image.size), "uuid": .string(uuid(image.buildID)),
      "path": .string(image.path), "name": .string(image.name),
    ]
    var own: JSONValue.Object = [:]
    if buildID(ofUUID: uuid(image.buildID)) != image.buildID { own["buildID"] = .string(image.buildID) }
    if image.slide != image.base { own["slide"] = JSONValue(image.slide) }
    if !own.isEmpty { object["mpaas"] = .object(own) }
    return object
  }

  /// The first 16 bytes of a build ID in the form of a UUID, filled up with zeroes.
  package static func uuid(_ buildID: String) -> String {
    String((buildID + String(repeating: "0", count: 32)).prefix(32)).dashedUUID
  }

  /// A UUID as build ID: lower case without dashes; empty for the one of zeroes.
  package static func buildID(ofUUID uuid: String) -> String {
    let digits = uuid.lowercased().filter { $0 != "-" }
    return digits.allSatisfy { $0 == "0" } ? "" : digits
  }
}
