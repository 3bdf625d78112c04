package import MPaaSSupport

extension ObjectLookup {
  /// Opens the object that a user names: by its file or by its build.
  ///
  /// - Parameters:
  ///   - build: The build ID or UUID, in hexadecimal digits with or without dashes.
  ///   - architecture: Which image of a fat file; nil leaves the choice to us.
  /// - Throws: `lookup-object-or-uuid` for both and for neither, `symbols-uuid-malformed`, `ObjectLookupError`.
  package func open(_ path: String?, build: String?, architecture: String?) throws -> OpenedObject {
    switch (path, build) {
    case (let path?, nil): return try open(path, architecture: architecture)
    case (nil, let build?):
      guard let id = BuildID(hex: build) else {
        throw Diagnostic("symbols-uuid-malformed", ["uuid": build], exit: .usage)
      }
      return try open(build: id)
    default: throw Diagnostic("lookup-object-or-uuid", exit: .usage)
    }
  }
}

extension OpenedObject {
  /// The reasons why its answers may say less than they could.
  package var warnings: [Diagnostic] {
    var warnings: [Diagnostic] = []
    if status != .complete {
      warnings.append(Diagnostic("symbols-no-debug-info", ["file": path], at: .file(path), exit: .done))
    }
    if let objects, !objects.changed.isEmpty {
      let values = ["file": path, "count": String(objects.changed.count), "total": String(objects.total)]
      warnings.append(Diagnostic("symbols-objects-changed", values, at: .file(path), exit: .done))
    }
    return warnings
  }
}
