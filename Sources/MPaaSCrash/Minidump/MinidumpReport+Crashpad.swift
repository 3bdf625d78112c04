import MPaaSCrashReport
import MPaaSSupport

/// The additions of Crashpad: identifiers, and annotations of the process and of each module.
extension MinidumpReport {
  mutating func readCrashpad() {
    guard var info = record(0x4350_0001, .crashpad) else { return }
    let simple = pairs(info["simple_annotations"])
    info["simple_annotations"] = .object(simple)
    var modules: [JSONValue] = []
    if let (offset, size) = MinidumpFile.place(info["module_list"]) {
      for link in file.list(at: offset, size: size, .crashpadLink) {
        guard let (place, size) = MinidumpFile.place(link["location"]) else { continue }
        var module = file.record(.crashpadModule, at: place, end: min(place + size, file.bytes.count))
        module["module_index"] = link["module_index"]
        module["list_annotations"] = .array(texts(module["list_annotations"]))
        module["simple_annotations"] = .object(pairs(module["simple_annotations"]))
        module["annotation_objects"] = .array(objects(module["annotation_objects"]))
        modules.append(.object(module))
      }
    }
    info["module_list"] = .array(modules)
    extra["crashpad"] = .object(info)
    apply(info, simple)
  }

  private mutating func apply(_ info: JSONValue.Object, _ simple: JSONValue.Object) {
    let id = info["report_id"]?.string ?? ""
    if id.contains(where: { $0 != "0" && $0 != "-" }) { report.incident = id.uppercased() }
    report.application.name = (simple["prod"] ?? simple["_productName"])?.string ?? ""
    report.application.version = (simple["ver"] ?? simple["_version"])?.string
    for module in info["module_list"]?.array ?? [] {
      // The last words of a library or of the program itself.
      let said = (module.object?["list_annotations"]?.array ?? []).compactMap(\.string)
      let index: Int = module.object?["module_index"]?.integer() ?? 0
      if !said.isEmpty { report.lastWords["module \(index)", default: []] += said }
    }
  }

  private func pairs(_ location: JSONValue?) -> JSONValue.Object {
    guard let (offset, size) = MinidumpFile.place(location), size > 0 else { return [:] }
    return file.list(at: offset, size: size, .crashpadPair).reduce(into: [:]) { pairs, pair in
      if let key = pair["key"]?.string { pairs[key] = pair["value"] ?? "" }
    }
  }

  private func texts(_ location: JSONValue?) -> [JSONValue] {
    guard let (offset, size) = MinidumpFile.place(location), size > 0 else { return [] }
    return file.list(at: offset, size: size, .crashpadName).compactMap { $0["text"] }
  }

  /// Annotations with a type: 1 is text, any other is the writer's own.
  private func objects(_ location: JSONValue?) -> [JSONValue] {
    guard let (offset, size) = MinidumpFile.place(location), size > 0 else { return [] }
    return file.list(at: offset, size: size, .crashpadObject).map { object in
      var object = object
      if let place: Int = object["value_rva"]?.integer(), place > 0, let size = file.u32(place),
        let part = file.part(at: place + 4, size: Int(size), of: "an annotation")
      {
        object["value"] = object["type"] == 1 ? .string(String(utf8: part)) : file.raw(part)
      }
      return .object(object)
    }
  }
}
