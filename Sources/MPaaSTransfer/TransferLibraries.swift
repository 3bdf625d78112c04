import CCurl
import CMicroHTTP

/// The libraries that transfers need, which are loaded when the first begins.
package enum TransferLibraries {
  /// `libcurl/7.88.1`; nil where it is not installed.
  package static var client: String? {
    mp_curl_version().flatMap { String(cString: $0).split(separator: " ").first.map(String.init) }
  }

  /// `libmicrohttpd/0.9.75`; nil where it is not installed.
  package static var server: String? {
    mp_http_version().map { "libmicrohttpd/" + String(cString: $0) }
  }
}
