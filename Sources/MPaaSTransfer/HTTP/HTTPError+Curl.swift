package import CCurl

extension HTTPError.Code {
  /// Creates the outcome of a request, as far as libcurl tells.
  package init(_ outcome: mp_curl_outcome, limit: UInt64 = 0) {
    self =
      switch outcome.result {
      case mp_curl_refused_status: .status(Int(outcome.status))
      case mp_curl_no_host, mp_curl_no_connection, mp_curl_broken_off, mp_curl_cannot_resume: .unreachable
      case mp_curl_tls: .notTrusted
      case mp_curl_timed_out: .timedOut
      case mp_curl_too_large: .tooLarge(limit: limit)
      case mp_curl_bad_url: .badURL
      case mp_curl_redirects: .tooManyRedirects
      default: .other
      }
  }
}
