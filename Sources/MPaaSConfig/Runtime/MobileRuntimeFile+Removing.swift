package import MPaaSSupport

extension MobileRuntimeFile {
  /// The file without the micro-app of that name; the same where there is none.
  ///
  /// - Parameter force: Whether it may be the one that is started first; `Launcher` goes away with it then.
  /// - Throws: `runtime-launcher-needed` where it is, and that was not said.
  package func removingApplication(_ name: String, force: Bool = false) throws(ConfigError) -> MobileRuntimeFile {
    guard applications.contains(where: { $0.name == name }) else { return self }
    var file = try removing(from: "Applications", whereKey: "name", is: name)
    guard launcher == name else { return file }
    guard force else {
      throw ConfigError(.runtimeLauncherNeeded, ["file": document.file, "name": name], at: launcherPlace)
    }
    file = try MobileRuntimeFile(file.document.removing(at: ["Launcher"]))
    return file
  }

  /// The file without the service of that name, or of that protocol in BeeHive's file; the same where there is none.
  package func removingService(_ name: String) throws(ConfigError) -> MobileRuntimeFile {
    guard services.contains(where: { $0.name == name }) else { return self }
    if document.root.values != nil { return try removing(from: nil, whereKey: "service", is: name) }
    return try removing(from: "Services", whereKey: "name", is: name)
      .removing(from: "services", whereKey: "service", is: name)
  }

  /// Every entry of a list that has a value goes; from the end, so that the places of the others stay.
  private func removing(
    from section: String?, whereKey key: String, is name: String
  ) throws(ConfigError) -> MobileRuntimeFile {
    let path = section.map { [PropertyListStep.key($0)] } ?? []
    let entries = document.value(at: path)?.values ?? []
    var document = document
    for index in entries.indices.reversed() where entries[index][key]?.string == name {
      document = try document.removing(at: path + [.index(index)])
    }
    return try MobileRuntimeFile(document)
  }
}

extension ConfigError.Code {
  /// The micro-app that is to go is the one that is started first.
  package static var runtimeLauncherNeeded: Self { malformed("runtime-launcher-needed") }
}
