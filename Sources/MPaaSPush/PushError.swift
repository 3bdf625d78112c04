package import MPaaSSupport

/// The part of the kit that `PushError` belongs to.
package enum PushDomain {}

/// The reason why a notification, a key or an answer could not be used.
package typealias PushError = CodedError<PushDomain>

extension PushError.Code {
  /// A file that is no private key for notifications.
  package static var keyMalformed: Self { .malformed("push-key-malformed") }
  /// The ID of a key or of a team that has not ten letters and digits.
  package static var keyName: Self { PushError.Code("push-key-name", exit: .usage) }
  /// A text that is no device token.
  package static var tokenMalformed: Self { .malformed("push-token-malformed") }
  /// A payload that the provider would refuse for its size.
  package static var payloadTooLarge: Self { .malformed("push-payload-too-large") }
  /// A payload that is no JSON object.
  package static var payloadMalformed: Self { .malformed("push-payload-malformed") }
  /// A header that the provider would refuse.
  package static var header: Self { PushError.Code("push-header", exit: .usage) }
  /// A file that is no key of a service account.
  package static var accountMalformed: Self { .malformed("push-account-malformed") }
  /// A configuration of the double that cannot be right.
  package static var doubleMalformed: Self { .malformed("push-double-malformed") }
}

extension PushError {
  /// The same error with the file that it was found in, and the line where the error knows it.
  package func inFile(_ file: String) -> PushError {
    let column = values["column"].flatMap { Int($0) }
    let place = values["line"].flatMap { Int($0) }.map { Place.text(file: file, line: $0, column: column) }
    return PushError(code, values, at: place ?? .file(file))
  }
}

extension PushError.Code {
  /// A campaign that says what cannot be.
  package static var campaignMalformed: Self { .malformed("push-campaign-malformed") }
  /// A text of a campaign that names a value which there is none of.
  package static var campaignValue: Self { .malformed("push-campaign-value") }
  /// A campaign whose payload in one language the provider would refuse for its size.
  package static var campaignTooLarge: Self { .malformed("push-campaign-too-large") }
}
