/// A rule that makes one text of a request, so that both sides sign the same bytes.
///
/// Two requests that differ in what matters must never have the same text. Write your own where a gateway asks for
/// another one:
///
/// ```swift
/// struct BodyForm: SigningForm {
///   let name = "body"
///   func bytes(of request: SigningRequest) throws(SigningError) -> [UInt8] { request.body ?? [] }
/// }
/// ```
public protocol SigningForm: Sendable {
  /// The name of the form in messages and options.
  var name: String { get }

  /// The bytes that are signed.
  ///
  /// - Throws: `SigningError` where a part is missing, or where its content would make the text ambiguous.
  func bytes(of request: SigningRequest) throws(SigningError) -> [UInt8]
}
