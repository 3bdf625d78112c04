import MPaaSSupport

/// The kit's own text of a call that an app sends to a gateway: one line for each part, the arguments last.
///
/// mPaaS does not publish the text that its clients sign. This one is documented in Documentation/Signing.md:
///
/// ```
/// mpaas-rpc-1
/// appId=SHOP
/// workspaceId=default
/// operationType=com.example.pay
/// ts=1764300000000
/// requestData=[{"amount":9.45}]
/// ```
///
/// The lines `appId` and `workspaceId` stand there where the call has them. No part but the last may have a line's end, so
/// that no two calls have the same text. The arguments are signed byte for byte, and decimals stay exact.
public struct OperationForm: SigningForm {
  /// The first line, which keeps a signature from being valid for any other text.
  static let version = "mpaas-rpc-1"

  /// The form's name.
  public let name = "operation"

  /// Creates the form.
  public init() {}

  /// The bytes that are signed.
  ///
  /// - Throws: `SigningError` `signing-part-missing` without an operation or a moment, `signing-part-ambiguous` where a
  ///   part has a line's end.
  public func bytes(of request: SigningRequest) throws(SigningError) -> [UInt8] {
    var text = Array(Self.version.utf8)
    for part in CallPart.allCases where part != .requestData {
      let value = part.value(in: request) ?? ""
      guard !value.isEmpty else {
        if part.isRequired { throw SigningError(.partMissing, ["part": part.rawValue]) }
        continue
      }
      guard !value.utf8.contains(where: { $0 < 0x20 }) else {
        throw SigningError(.partAmbiguous, ["part": part.rawValue])
      }
      Self.begin(part, &text)
      text += value.utf8
    }
    Self.begin(.requestData, &text)
    if let data = CallPart.requestData.value(in: request) {
      text += data.utf8
    } else {
      text += request.body ?? []
    }
    return text
  }

  private static func begin(_ part: CallPart, _ text: inout [UInt8]) {
    text.append(UInt8(ascii: "\n"))
    text += part.rawValue.utf8
    text.append(UInt8(ascii: "="))
  }
}
