package import HTTPTypes
package import Hummingbird
import MPaaSDatabase
import MPaaSFlags
import MPaaSModules
import MPaaSProtocol
import MPaaSPush
package import MPaaSSupport
package import MPaaSTerminal

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// An answer that takes nothing: its status, the word that `mpaas explain` knows, and what the client is to do.
package struct Refusal: Error, Sendable {
  package let status: HTTPResponse.Status
  package let error: ServerError
  package var headers: HTTPFields
  /// The steps of an explanation.
  var details: [Diagnostic.Detail] = []

  package init(
    _ code: ServerError.Code, _ values: [String: String] = [:], status: HTTPResponse.Status? = nil,
    headers: HTTPFields = [:]
  ) {
    self.init(ServerError(code, values), status: status, headers: headers)
  }

  /// - Parameter status: nil takes the one that the code has.
  package init(_ error: ServerError, status: HTTPResponse.Status? = nil, headers: HTTPFields = [:]) {
    self.error = error
    self.status = status ?? Self.status(of: error.code)
    self.headers = headers
    if self.headers[.retryAfter] == nil, [429, 503].contains(self.status.code) { self.headers[.retryAfter] = "1" }
  }

  /// - Parameter wait: Seconds until it may be tried again.
  package init(_ code: ServerError.Code, after wait: Double) {
    self.init(code, headers: [.retryAfter: String(Int(wait.rounded(.up)))])
  }

  /// The client's answer to any error of a route; nil for one that the connection's own layer tells.
  package init?(any error: any Error) {
    switch error {
    case let refusal as Refusal: self = refusal
    case let error as ServerError: self.init(error)
    case let error as SQLError where error.code == .full: self.init(.full)
    case let error as SQLError where error.code == .unavailable: self.init(.databaseAway)
    case let error as SQLError where [.busy, .contention].contains(error.code):
      self.init(.busy, status: .serviceUnavailable)
    case let error as FileError where [.noSpace, .diskQuotaExceeded].contains(error.code): self.init(.full)
    case let error as HTTPError:
      self.init(
        error.status == .notFound ? .notFound : .badRequest, ["reason": error.body ?? error.status.reasonPhrase],
        status: error.status, headers: error.headers)
    case let error as FlagError:
      let values = error.values.merging(["path": "events"]) { own, _ in own }
      self.init(
        ServerError(ServerError.Code(error.code.id, exit: error.code.exit), values), status: Self.status(of: error))
    case let error as PushError:
      self.init(ServerError(ServerError.Code(error.code.id, exit: error.code.exit), error.values), status: .badRequest)
    case let error as ModuleError: self.init(error)
    case let error as any DiagnosticConvertible: self.init(.fault, ["reason": error.diagnostic.id.name])
    default: return nil
    }
  }

  private static func status(of error: FlagError) -> HTTPResponse.Status {
    [.tooLarge, .tooMany].contains(error.code) ? .contentTooLarge : .badRequest
  }

  private static func status(of code: ServerError.Code) -> HTTPResponse.Status {
    switch code {
    case .notFound, .flagsAppUnknown, .flagsEnvironmentUnknown, .flagsVersionUnknown, .flagsProposalUnknown: .notFound
    case .tokenMissing, .tokenUnknown: .unauthorized
    case .scope, .foreignOrigin, .appKey, .flagsApprovalOwn, .deviceSecret: .forbidden
    case .openIDDenied, .openIDToken, .openIDRole, .openIDDomain, .openIDDisabled: .forbidden
    case .openIDAnswer: .badGateway
    case .taskState, .taskTaken, .taskUpload: .conflict
    case .flagsEnvironmentExists, .flagsVersionConflict, .flagsApprovalsNeeded, .flagsApprovalsMissing: .conflict
    case .pushCampaignTaken, .pushCampaignState, .personExists, .teamExists, .personSubject, .personExternal: .conflict
    case .flagsProposalClosed, .flagsProposalEmpty, .flagsProposalStale, .feedbackTaken: .conflict
    case .pushCampaignsMany: .tooManyRequests
    case .tasksTooMany, .flagsProposalsTooMany, .flagsEnvironmentsTooMany: .tooManyRequests
    case .tooLarge, .expands: .contentTooLarge
    case .encoding: .unsupportedMediaType
    case .tooSlow: .requestTimeout
    case .rate, .busy, .crowded, .quota: .tooManyRequests
    case .uploadGone, .uploadLost: .gone
    case .uploadLocked: HTTPResponse.Status(code: 423, reasonPhrase: "Locked")
    case .uploadOffset: .conflict
    case .checksumMismatch, .digestMismatch: HTTPResponse.Status(code: 460, reasonPhrase: "Checksum Mismatch")
    case .protocolVersion: .preconditionFailed
    case .concatenation: .forbidden
    case .modulesOff: .notFound
    case .modulesChanged: .conflict
    case .databaseAway, .blobsAway, .openIDAway, .uploadElsewhere: .serviceUnavailable
    case .full: HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage")
    case .fault, .reportDamaged: .internalServerError
    default: .badRequest
    }
  }

  /// The answer, as the JSON of `ServerRefusal`.
  package func response(in catalogue: Catalogue) -> Response {
    Response.json(told(in: catalogue), status: status, headers: headers)
  }

  /// The word and the sentence, with the steps of the explanation where there are some.
  func told(in catalogue: Catalogue) -> ServerRefusal {
    let word = error.code.id.name
    var refusal = ServerRefusal(code: word, message: catalogue.sentence(word, error.values))
    if !details.isEmpty { refusal.explanation = explanation(in: catalogue) }
    return refusal
  }
}

extension Response {
  /// A value as JSON.
  package static func json(
    _ value: some Encodable, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]
  ) -> Response {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Values of ours have neither infinities nor cycles, the only things that are no JSON.
    return .bytes((try? encoder.encode(value)) ?? Data(), "application/json", status: status, headers: headers)
  }

  /// Bytes of a type.
  package static func bytes(
    _ bytes: some Sequence<UInt8>, _ type: String, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]
  ) -> Response {
    let buffer = ByteBuffer(bytes: bytes)
    var headers = headers
    headers[.contentType] = type
    headers[.contentLength] = String(buffer.readableBytes)
    return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: buffer))
  }
}
