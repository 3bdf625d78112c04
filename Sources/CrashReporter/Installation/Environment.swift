#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The environment variables that decide where reports are kept.
enum Environment {
  /// The value of a variable; nil where it is not set or empty.
  static func value(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }

  static var relevant: [String: String] {
    let names = ["MPAAS_HOME", "HOME", "XDG_DATA_HOME"]
    return Dictionary(uniqueKeysWithValues: names.compactMap { name in value(name).map { (name, $0) } })
  }
}
