import MPaaSSupport
import MPaaSTransfer
import MPaaSXML

/// The reason why a store that speaks S3 did not do what it was asked.
package struct S3Error: Error, Sendable, Equatable {
  package enum Code: Sendable, Equatable {
    /// It does not answer, or is not well; the same may work in a while.
    case away
    /// The key is unknown or may not do it, or the clocks differ by minutes.
    case denied
    case noBucket
    /// There is an object of this name already, and it was not to be replaced.
    case taken
    /// An object is not what it should be, or the answer is none of S3.
    case malformed
    /// It cannot be reached by this program at all: no libcurl, no trust in its certificate.
    case unusable
    /// A file of this machine could not be read.
    case file
  }

  package let code: Code
  /// The words of the store, of libcurl or of the system; English.
  package let reason: String

  package init(_ code: Code, _ reason: String) { (self.code, self.reason) = (code, reason) }

  /// The reason why a call had no answer.
  init(_ error: HTTPError) {
    switch error.code {
    case .noLibrary, .badURL, .notTrusted: self.init(.unusable, error.reason)
    case .file(let error): self.init(.file, "\(error.path): \(error.code)")
    case .tooLarge, .damaged, .notAccepted, .tooManyRedirects: self.init(.malformed, error.reason)
    default: self.init(.away, error.reason)
    }
  }

  /// The reason that an answer tells; its body may have none, as that to HEAD.
  init(_ reply: HTTPReply) {
    let fault = S3Fault(reply.body)
    let reason = fault.map { "\($0.code): \($0.message)" } ?? "HTTP \(reply.status)"
    switch (reply.status, fault?.code) {
    case (_, "NoSuchBucket"): self.init(.noBucket, reason)
    case (412, _), (409, "ConditionalRequestConflict"): self.init(.taken, reason)
    case (401, _), (403, _), (_, "AuthorizationHeaderMalformed"), (_, "InvalidAccessKeyId"): self.init(.denied, reason)
    // A function that the store lacks it will not have soon.
    case (501, _): self.init(.malformed, reason)
    case (408, _), (429, _), (500...599, _), (_, "RequestTimeout"), (_, "SlowDown"), (_, "InternalError"):
      self.init(.away, reason)
    default: self.init(.malformed, reason)
    }
  }
}

/// The error that a body of XML tells.
struct S3Fault {
  let code: String
  let message: String

  /// nil where the bytes are no `Error` of S3.
  init?(_ body: [UInt8]) {
    guard let root = try? XMLDocument.root(of: body), root.name == "Error", let code = root.text(of: "Code") else {
      return nil
    }
    self.code = code
    message = root.text(of: "Message") ?? ""
  }
}

extension XMLElement {
  /// The text of the first element of a name in this one.
  func text(of name: String) -> String? {
    elements.first { $0.name == name }?.firstText.map { String(decoding: $0.bytes, as: UTF8.self) }
  }
}
