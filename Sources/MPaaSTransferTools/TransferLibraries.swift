import CCurl

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The libraries that transfers need, which are loaded when the first begins.
package enum TransferLibraries {
  /// `libcurl/7.88.1`; nil where it is not installed.
  package static var client: String? {
    mp_curl_version().flatMap { String(cString: $0).split(separator: " ").first.map(String.init) }
  }

  /// `libmicrohttpd/0.9.75`; nil where it is not installed, or too old for the server of the second program.
  package static var server: String? {
    typealias Version = @convention(c) () -> UnsafePointer<CChar>?
    let library = serverNames.lazy.compactMap { dlopen($0, RTLD_NOW | RTLD_LOCAL) }.first
    guard let library, dlsym(library, "MHD_get_connection_values_n") != nil,
      let version = dlsym(library, "MHD_get_version"), let text = unsafeBitCast(version, to: Version.self)()
    else { return nil }
    return "libmicrohttpd/" + String(cString: text)
  }

  /// The names by which `Sources/CMicroHTTP` looks for it.
  private static var serverNames: [String] {
    #if canImport(Darwin)
      ["", "/opt/homebrew/lib/", "/usr/local/lib/"].map { $0 + "libmicrohttpd.12.dylib" }
    #else
      ["libmicrohttpd.so.12"]
    #endif
  }
}
