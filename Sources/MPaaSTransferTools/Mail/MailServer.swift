import CCurl
import MPaaSSupport
package import MPaaSTransfer

/// A server that takes mail (RFC 5321), by libcurl.
package struct MailServer: Sendable {
  /// `smtp://HOST:PORT`, which begins TLS with STARTTLS, or `smtps://HOST:PORT`.
  package var url: String
  package var user: String?
  package var password: String?
  /// A file of certificates to trust instead of the system's.
  package var certificates: String?
  /// Tells whether mail goes out without TLS too: for servers of this machine.
  package var allowsPlain = false
  private let sessions = CurlSessions()
  private static let patience = 30_000

  package init(_ url: String) { self.url = url }

  /// Sends a mail and waits for the server to have taken it.
  ///
  /// - Parameters:
  ///   - message: The mail with its headers, lines ending in CR and LF.
  /// - Throws: `HTTPError`; `status` has the server's last reply code.
  package func send(_ message: [UInt8], from sender: String, to receivers: [String]) throws(HTTPError) {
    let run = MailRun()
    var plan = mp_curl_request()
    plan.sends_body = true
    plan.upload_size = UInt64(message.count)
    plan.connect_milliseconds = Self.patience
    plan.total_milliseconds = 2 * Self.patience
    plan.allows_plain = allowsPlain
    plan.context = Unmanaged.passUnretained(run).toOpaque()
    plan.body = { _, _, _, size in size }
    plan.head = { _, _, _ in }
    plan.progress = { _, _, _ in Task.isCancelled ? 1 : 0 }
    let texts = [url, sender, user ?? "", password ?? "", certificates ?? ""]
    let (url, isNamed, hasCertificates) = (url, user != nil, certificates != nil)
    let outcome = try sessions.with { session throws(HTTPError) in
      guard let session else { throw HTTPError(.noLibrary, url: url, reason: sessions.missing ?? "") }
      var outcome = mp_curl_outcome()
      withExtendedLifetime(run) {
        message.withUnsafeBufferPointer { bytes in
          withCStrings(texts + receivers) { strings in
            plan.upload = UnsafeRawPointer(bytes.baseAddress)
            plan.url = strings[0]
            plan.mail_from = strings[1]
            if isNamed { (plan.user, plan.password) = (strings[2], strings[3]) }
            if hasCertificates { plan.certificates = strings[4] }
            strings[texts.count...].withContiguousStorageIfAvailable { pointers in
              plan.mail_to = pointers.baseAddress
              plan.mail_to_count = pointers.count
              mp_curl_get(session, &plan, &outcome)
            }
          }
        }
      }
      return outcome
    }
    guard outcome.result == mp_curl_done else {
      let code: HTTPError.Code =
        outcome.status >= 400 && outcome.result == mp_curl_other
        ? .status(Int(outcome.status)) : HTTPError.Code(outcome)
      throw HTTPError(code, url: url, reason: outcome.reason)
    }
  }
}

/// The object that libcurl's callbacks are handed.
private final class MailRun {}
