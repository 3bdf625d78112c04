#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

extension TextLanguage {
  /// The language of the user's environment.
  static var ofEnvironment: TextLanguage {
    for name in ["MPAAS_LANG", "LC_ALL", "LC_MESSAGES", "LANG"] {
      if let value = getenv(name).map({ String(cString: $0) }), !value.isEmpty { return TextLanguage(locale: value) }
    }
    return .english
  }
}
