import CCurl
import MPaaSSupport
import MPaaSTime

/// The reason why one request did not bring the file, sorted by what helps.
enum DownloadFault {
  /// The same server may do better in a while.
  case passing(HTTPError, retryAfter: TimeSpan?)
  /// The server has no such file.
  case absent(HTTPError)
  /// The server has another file; `isInFile` where bytes of it are among those that are here.
  case wrong(HTTPError, isInFile: Bool)
  /// The server does not go on from where the file ends.
  case cannotResume(HTTPError)
  /// Asking this server again will not help.
  case refused(HTTPError)
  /// This machine's own fault: no server helps.
  case local(HTTPError)

  /// - Parameter failure: What was found while the answer came; nil where libcurl ended it.
  init(_ outcome: mp_curl_outcome, failure: DownloadFault?, isResumed: Bool, url: String) {
    if let failure {
      self = failure
      return
    }
    let error = HTTPError(HTTPError.Code(outcome), url: url, reason: outcome.reason)
    let retryAfter: TimeSpan? = outcome.retry_after > 0 ? .seconds(outcome.retry_after) : nil
    switch (outcome.result, outcome.status) {
    case (mp_curl_cannot_resume, _): self = .cannotResume(error)
    case (mp_curl_refused_status, 416) where isResumed: self = .cannotResume(error)
    case (mp_curl_refused_status, 408), (mp_curl_refused_status, 425), (mp_curl_refused_status, 429),
      (mp_curl_refused_status, 500...599):
      self = .passing(error, retryAfter: retryAfter)
    // Stores of objects that may not be listed answer 403 for a name that does not exist.
    case (mp_curl_refused_status, 403), (mp_curl_refused_status, 404), (mp_curl_refused_status, 410):
      self = .absent(error)
    case (mp_curl_no_host, _), (mp_curl_no_connection, _), (mp_curl_broken_off, _), (mp_curl_timed_out, _):
      self = .passing(error, retryAfter: nil)
    default: self = .refused(error)
    }
  }
}

extension mp_curl_outcome {
  /// The words of libcurl; empty where it says nothing.
  package var reason: String {
    withUnsafeBytes(of: message) { message in
      String(utf8: UnsafeRawBufferPointer(rebasing: message.prefix { $0 != 0 }))
    }
  }
}
