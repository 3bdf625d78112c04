/// A part of a call to mPaaS' gateway: a header, or a parameter of the query or the form.
///
/// The raw value is the name of the parameter and of the line in the text that is signed.
public enum CallPart: String, Sendable, CaseIterable {
  /// The app that calls.
  case appID = "appId"
  /// The workspace of the app.
  case workspaceID = "workspaceId"
  /// The operation that is called.
  case operationType
  /// The moment of the call, in milliseconds since 1970.
  case timestamp = "ts"
  /// The arguments, a JSON array; the body where no parameter has them.
  case requestData

  /// The header that has the part; nil for the arguments.
  public var header: String? {
    switch self {
    case .appID: "AppId"
    case .workspaceID: "WorkspaceId"
    case .operationType: "Operation-Type"
    case .timestamp: "Ts"
    case .requestData: nil
    }
  }

  /// The header that has the signature of a call.
  public static let signatureHeader = "Sign"
  /// The header that names the algorithm of the signature.
  public static let algorithmHeader = "Sign-Type"
  /// The parameter that has the signature of a call without that header.
  public static let signatureParameter = "sign"

  /// Tells whether every call has it.
  var isRequired: Bool { self == .operationType || self == .timestamp }

  /// The part of a request: of a header, else of a form, else of the query; nil where it has none.
  public func value(in request: SigningRequest) -> String? {
    header.flatMap { request.headers.header($0) } ?? request.form.first(rawValue) ?? request.query.first(rawValue)
  }
}

extension SigningRequest {
  /// Makes the request of a call to a gateway, with its parts in headers and its arguments as the body.
  ///
  /// - Parameters:
  ///   - timestamp: Milliseconds since 1970.
  ///   - requestData: The arguments: a JSON array, as it will be sent.
  public init(
    operationType: String, timestamp: Int64, requestData: [UInt8], appID: String? = nil, workspaceID: String? = nil
  ) {
    let parts: [(CallPart, String?)] = [
      (.appID, appID), (.workspaceID, workspaceID), (.operationType, operationType), (.timestamp, String(timestamp)),
    ]
    self.init(
      method: "POST", path: "/",
      headers: parts.compactMap { part, value in
        guard let header = part.header, let value else { return nil }
        return RequestField(header, value)
      },
      body: requestData)
  }
}
