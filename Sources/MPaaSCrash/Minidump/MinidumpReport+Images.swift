import MPaaSCrashReport
import MPaaSSupport

extension MinidumpReport {
  mutating func readImages() {
    for record in list(4, .module) { report.images.append(image(record)) }
    if let main = report.images.first {
      report.process.path = main.path
      if report.process.name.isEmpty { report.process.name = Self.name(main.path) }
      if report.application.version == nil {
        report.application.version = main.extra["minidump"]?.object?["version"]?.string
      }
    }
    for (index, image) in report.images.enumerated() {
      guard let words = report.lastWords.removeValue(forKey: "module \(index)") else { continue }
      report.lastWords[Self.name(image.path), default: []] += words
    }
    if report.application.name.isEmpty { report.application.name = report.process.name }
    taken.insert(14)
    if let unloaded = file.sizedList(14, .unloadedModule) {
      extra["unloaded_modules"] = .array(unloaded.map(JSONValue.object))
    }
  }

  private func image(_ record: JSONValue.Object) -> CrashReport.Image {
    let base: UInt64 = record["base_of_image"]?.integer() ?? 0
    let identity =
      file.part(record["cv_record"], of: "a module's identity").map {
        MinidumpIdentity(codeView: $0, isELF: system.isLinux, isBigEndian: file.isBigEndian)
      } ?? MinidumpIdentity()
    var rest = record
    rest["cv_data"] = file.part(record["cv_record"], of: "a module's identity").map { file.raw($0) }
    rest["misc_data"] = file.part(record["misc_record"], of: "a module's data").map { file.raw($0) }
    rest["debug_id"] = identity.debugID.map(JSONValue.string)
    rest["debug_file"] = identity.debugFile.map(JSONValue.string)
    rest["code_id"] = codeID(record, identity).map(JSONValue.string)
    rest["version"] = Self.version(record).map(JSONValue.string)
    // Breakpad names the kernel's code by what its own symbol is called.
    let path = record["module_name"]?.string ?? ""
    var image = CrashReport.Image(
      base: base, size: record["size_of_image"]?.integer() ?? 0, buildID: identity.buildID, path: path,
      architecture: system.architecture, slide: system.fixedBases.contains(base) ? 0 : base)
    image.extra["minidump"] = .object(rest)
    return image
  }

  /// The name of the file itself at a symbol server: on Windows its time and size, elsewhere its identity.
  private func codeID(_ record: JSONValue.Object, _ identity: MinidumpIdentity) -> String? {
    guard system.isWindows else { return identity.buildID.isEmpty ? nil : identity.buildID }
    guard let time: UInt32 = record["time_date_stamp"]?.integer(), let size: UInt32 = record["size_of_image"]?.integer()
    else { return nil }
    return time.padded(to: 8, radix: 16) + String(size, radix: 16)
  }

  /// `5.1.2600.2180` of Windows' version resource; nil where the module has none.
  private static func version(_ record: JSONValue.Object) -> String? {
    guard record["version_signature"] == 0xfeef_04bd, let high: UInt32 = record["file_version_hi"]?.integer(),
      let low: UInt32 = record["file_version_lo"]?.integer()
    else { return nil }
    return "\(high >> 16).\(high & 0xffff).\(low >> 16).\(low & 0xffff)"
  }

  /// The file name of a path of either kind.
  static func name(_ path: String) -> String {
    path.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last.map(String.init) ?? path
  }
}
