import MPaaSSupport

/// The file of the running program.
package enum Executable {
  /// Its path with links resolved.
  package static func current() -> String {
    #if os(Linux)
      let path = "/proc/self/exe"
    #else
      let path = CommandLine.arguments.first ?? "mpaas"
    #endif
    return FileSystem.resolved(path) ?? path
  }
}
