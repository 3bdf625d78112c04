package import MPaaSFlags
import MPaaSLogUpload
import MPaaSLogs
import MPaaSProtocol
package import MPaaSSupport
import MPaaSTransfer

extension FlagError {
  /// The same error of another part.
  package init(_ error: some DiagnosticConvertible) {
    let diagnostic = error.diagnostic
    self.init(Code(diagnostic.id, exit: diagnostic.exit), diagnostic.values, at: diagnostic.place)
  }

  /// Reads an answer that is no success: what the server says of flags, or of anything else as all commands tell it.
  init(refusal reply: HTTPReply, _ url: String) {
    let error = LogError(refusal: reply, url)
    guard let code = error.values["code"], code.hasPrefix("flags-") else {
      self.init(error)
      return
    }
    var reason = error.values["reason"] ?? ""
    while let last = reason.last, ".。".contains(last) { reason.removeLast() }
    self.init(
      Code("flags-server-refused", exit: Self.exit(reply.status, code)), ["code": code, "reason": reason, "url": url])
  }

  /// The word for the refusal that the server gave.
  var serverCode: String? { values["code"] }

  private static func exit(_ status: Int, _ code: String) -> ExitStatus {
    switch ServerRefusal.Meaning(status: status) {
    case .unknown: .inputMissing
    case .tooLarge: .malformedInput
    case .busy: .tryAgain
    case .refused where status == 400: .malformedInput
    // Another change came first; the same may do with the state as it is now.
    case .refused where code == "flags-version-conflict": .tryAgain
    case .refused, .notPermitted: .notPermitted
    }
  }
}
