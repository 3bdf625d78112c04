/// The platform of this machine, as manifests of modules and projects name it.
enum DemoPlatform {
  #if os(Linux)
    static let name = "linux"
    static let minimum = "0"
  #else
    static let name = "macos"
    static let minimum = "11.0"
  #endif

  /// Its line in a module's manifest.
  static var line: String { "\(name) = \"\(minimum)\"" }
}
