extension KitUpdater {
  /// The kind of machine that this program was built for.
  package static var machine: String {
    #if os(Linux)
      let system = "linux"
    #elseif os(macOS)
      let system = "macos"
    #else
      let system = "other"
    #endif
    #if arch(x86_64)
      return system + "-x86_64"
    #elseif arch(arm64)
      return system + "-aarch64"
    #else
      return system
    #endif
  }
}
