public import MPaaSSigning
import MPaaSSupport

/// Signatures by a key and an algorithm of the kit, in the header fields that the gateway looks into.
///
/// ```swift
/// let picture = try KeyPicture(contentsOf: path, bundleIdentifier: "com.example.shop")
/// let key = try RequestKey(secret: picture["gateway"] ?? "")
/// parts.signer = RPCKeySigner(try RequestSigner(.hmacSM3, key: key))
/// ```
/// Calls of operations are signed in the form of the signer, by itself `OperationForm`. Requests of HTTP that are to be
/// signed have the text that the gateway makes for servers behind it, unless the signer's own form is for requests.
public struct RPCKeySigner: RPCSigner {
  private let signer: RequestSigner
  private let keyName: String?

  /// Makes a signer.
  ///
  /// - Parameters:
  ///   - signer: The key with its algorithm and the form of the text.
  ///   - keyName: The name of the key for servers that have several; nil for none.
  public init(_ signer: RequestSigner, keyName: String? = nil) {
    self.signer = signer
    self.keyName = keyName
  }

  /// The fields `Sign` and `Sign-Type` of an operation; those of the gateway's own text of a request of HTTP.
  ///
  /// - Throws: `RPCError` `rpc-not-signed`.
  public func fields(for input: RPCSigningInput) throws(RPCError) -> [String: String] {
    do throws(SigningError) {
      return try input.isOperation ? operationFields(input) : requestFields(input)
    } catch {
      throw RPCError(.notSigned, ["operation": input.operationType, "reason": error.identifier])
    }
  }

  private func operationFields(_ input: RPCSigningInput) throws(SigningError) -> [String: String] {
    let request = SigningRequest(
      operationType: input.operationType, timestamp: input.timestamp, requestData: input.data,
      appID: input.headers["AppId"], workspaceID: input.headers["WorkspaceId"])
    return [
      CallPart.signatureHeader: try signer.signature(of: request),
      CallPart.algorithmHeader: signer.algorithm.rawValue,
    ]
  }

  private func requestFields(_ input: RPCSigningInput) throws(SigningError) -> [String: String] {
    let request = SigningRequest(
      method: input.method, target: input.url, headers: input.headers.map { RequestField($0.key, $0.value) },
      body: input.data)
    let form: any SigningForm = signer.form is OperationForm ? BackEndForm() : signer.form
    var fields = [BackEndForm.signatureHeader: try signer.signature(ofText: form.bytes(of: request))]
    fields[BackEndForm.keyNameHeader] = keyName
    return fields
  }
}
