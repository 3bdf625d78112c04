import MPaaSCrashReport
import MPaaSSupport

extension IPSReader {
  static func thread(
    _ object: JSONValue.Object, _ path: String, images: [CrashReport.Image], isTriggered: Bool
  ) throws(ReportError) -> CrashReport.Thread {
    var thread = CrashReport.Thread(id: object["id"]?.integer() ?? 0)
    thread.name = object["name"]?.string
    thread.queue = object["queue"]?.string
    thread.registers = object["threadState"]?.object.flatMap(registers)
    thread.cut = object["mpaas"]?.object?["stackCut"]?.string.flatMap(CrashReport.StackCut.init)
    thread.frames = frames(try elements(object["frames"], path + ".frames"), images: images)
    var rest = object
    rest["frames"] = nil
    thread.extra = IPSOverlay.rest(of: rest, after: IPSWriter.facts(of: thread, isTriggered: isTriggered))
    return thread
  }

  /// Frames of the model: Apple's inlined calls and the function around them are one.
  static func frames(
    _ objects: [JSONValue.Object], images: [CrashReport.Image]
  ) -> [CrashReport.Frame] {
    var frames: [CrashReport.Frame] = []
    var rest = objects[...]
    while let first = rest.first {
      var frame = emptyFrame(first, images: images)
      var own: [JSONValue.Object] = []
      while let object = rest.popFirst() {
        own.append(object)
        if let call = call(object) { frame.calls.append(call) }
        guard object["inline"]?.bool == true, object["mpaas"]?.object?["last"] == nil, let next = rest.first,
          next["imageIndex"] == object["imageIndex"], next["imageOffset"] == object["imageOffset"]
        else { break }
      }
      frame.extra = extra(of: own, frame: frame, images: images)
      frames.append(frame)
    }
    return frames
  }

  private static func emptyFrame(_ object: JSONValue.Object, images: [CrashReport.Image]) -> CrashReport.Frame {
    let offset: UInt64 = object["imageOffset"]?.integer() ?? 0
    let index: Int? = object["imageIndex"]?.integer()
    let kind = object["mpaas"]?.object?["kind"]?.string.flatMap(CrashReport.Frame.Kind.init) ?? .physical
    guard let index, images.indices.contains(index) else { return CrashReport.Frame(address: offset, kind: kind) }
    var frame = CrashReport.Frame(address: images[index].base &+ offset, kind: kind)
    frame.image = index
    return frame
  }

  private static func call(_ object: JSONValue.Object) -> CrashReport.Call? {
    guard let function = object["symbol"]?.string else { return nil }
    let own = object["mpaas"]?.object
    var call = CrashReport.Call(function: function)
    call.symbol = own?["symbol"]?.string
    call.offset = object["symbolLocation"]?.integer()
    call.file = object["sourceFile"]?.string
    call.line = object["sourceLine"]?.integer()
    call.column = own?["column"]?.integer()
    call.isInlined = object["inline"]?.bool ?? false
    return call
  }

  /// Unknown members of all objects of one frame; where several have one of the same name, the innermost counts.
  private static func extra(
    of objects: [JSONValue.Object], frame: CrashReport.Frame, images: [CrashReport.Image]
  ) -> JSONValue.Object {
    let written = IPSWriter.frames(of: frame, images: images)
    return zip(objects, written).reduce(into: [:]) { all, pair in
      var rest = IPSOverlay.rest(of: pair.0, after: pair.1)
      // Each writer counts anew the image that stands for nowhere.
      if frame.image == nil { rest["imageIndex"] = nil }
      all = IPSOverlay.merge(rest, all)
    }
  }

  private static func registers(_ state: JSONValue.Object) -> CrashReport.Registers? {
    var values: [String: UInt64] = [:]
    for (index, element) in (state["x"]?.array ?? []).enumerated() {
      values["x\(index)"] = element.object?["value"]?.integer()
    }
    for (name, element) in state {
      if let value: UInt64 = element.object?["value"]?.integer() { values[name] = value }
    }
    let order = strings(state["mpaas"]?.object?["order"]) ?? []
    let names = order.filter { values[$0] != nil }
    let others = CrashReport.Registers.sorted(Array(Set(values.keys).subtracting(names)))
    return CrashReport.Registers(
      flavor: state["flavor"]?.string ?? "",
      values: (names + others).compactMap { name in values[name].map { .init(name, $0) } })
  }

  /// Tells whether the image is the one that addresses outside every image are given to.
  static func isNowhere(_ object: JSONValue.Object) -> Bool {
    object["source"]?.string == "A" && object["base"] == 0 && object["size"] == 0
      && (object["path"]?.string ?? "").isEmpty
  }

  static func image(_ object: JSONValue.Object) -> CrashReport.Image {
    let base: UInt64 = object["base"]?.integer() ?? 0
    let own = object["mpaas"]?.object
    var image = CrashReport.Image(
      base: base, size: object["size"]?.integer() ?? 0,
      buildID: own?["buildID"]?.string ?? object["uuid"]?.string.map(IPSWriter.buildID(ofUUID:)) ?? "",
      path: object["path"]?.string ?? object["name"]?.string ?? "",
      architecture: object["arch"]?.string ?? "", slide: own?["slide"]?.integer() ?? base)
    image.extra = IPSOverlay.rest(of: object, after: IPSWriter.facts(of: image))
    return image
  }
}
