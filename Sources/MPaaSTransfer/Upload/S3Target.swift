import MPaaSSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The object that an upload becomes, and who signs for it.
struct S3Target {
  let url: String
  let signer: HTTPCall.Signer
  let token: String?

  /// SHA-256 of no bytes.
  static let digestOfNothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

  init(_ transfer: Transfer, _ options: TransferOptions) throws(TransferFault) {
    let environment = ProcessInfo.processInfo.environment
    func variable(_ names: String...) -> String? {
      names.compactMap { environment[$0] }.first { !$0.isEmpty }
    }
    guard let identifier = options.s3Key?.identifier ?? variable("AWS_ACCESS_KEY_ID"),
      let secret = options.s3Key?.secret ?? variable("AWS_SECRET_ACCESS_KEY")
    else { throw .lasting(TransferError(.noKey, ["url": transfer.url])) }
    token = options.s3Key == nil ? variable("AWS_SESSION_TOKEN") : options.s3Key?.token
    let region = options.s3Region ?? variable("AWS_REGION", "AWS_DEFAULT_REGION") ?? "us-east-1"
    signer = HTTPCall.Signer(scheme: "aws:amz:\(region):s3", user: identifier, secret: secret)
    guard transfer.url.hasPrefix("s3://") else {
      url = transfer.url
      return
    }
    let parts = transfer.url.dropFirst(5).split(separator: "/", maxSplits: 1)
    guard parts.count == 2 else {
      throw .lasting(TransferError(.badDescription, ["field": "url", "value": transfer.url]))
    }
    let name = PercentEncoding.encode(String(parts[1]), keeping: "/")
    if let endpoint = options.s3Endpoint ?? variable("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL") {
      url = (endpoint.hasSuffix("/") ? String(endpoint.dropLast()) : endpoint) + "/\(parts[0])/\(name)"
    } else {
      url = "https://\(parts[0]).s3.\(region).amazonaws.com/\(name)"
    }
  }
}
