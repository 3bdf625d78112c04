import HTTPTypes
import Hummingbird
import MPaaSProtocol
import MPaaSSupport
import MPaaSTerminal
import NIOCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Resumable uploads of the IETF: interop versions 6 (drafts 04 and 05) to 8 (from draft 08 on).
///
/// Source: draft-ietf-httpbis-resumable-upload; digests by RFC 9530, problems by RFC 9457.
struct DraftWire {
  static let partialType = "application/partial-upload"
  static let versions = 6...8
  private static let informing = HTTPResponse.Status(code: 104, reasonPhrase: "Upload Resumption Supported")
  /// After how many bytes the client is told how far it is.
  private static let progressStep: Int64 = 16 << 20

  private let routes: UploadRoutes
  private let request: Request
  private let context: ServerContext
  private let grant: Grant
  private let interop: Int

  /// - Throws: `server-protocol-version`.
  init(_ routes: UploadRoutes, _ request: Request, _ context: ServerContext, _ grant: Grant) throws {
    self.routes = routes
    self.request = request
    self.context = context
    self.grant = grant
    interop = Self.version(of: request) ?? 8
    guard Self.versions.contains(interop) else {
      throw Refusal(.protocolVersion, ["version": String(interop)], status: .badRequest)
    }
  }

  private var uploads: UploadService { routes.uploads }
  private var services: ServerServices { routes.services }

  /// Tells whether a request is one of the draft's.
  static func speaks(_ request: Request) -> Bool {
    guard request.headers[.tusResumable] == nil else { return false }
    return request.headers[.uploadDraftInteropVersion] != nil || request.headers[.uploadComplete] != nil
      || request.headers[.contentType] == partialType
  }

  static func version(of request: Request) -> Int? {
    UploadHeaders.count(request.headers[.uploadDraftInteropVersion]).map { Int(clamping: $0) }
  }

  /// `Upload-Limit`.
  static func limit(_ services: ServerServices, version: Int, record: UploadRecord?) -> String {
    var words = "max-size=\(services.limits.upload)"
    if let expires = record?.expires {
      words += ", \(version < 7 ? "expires" : "max-age")=\(Int64(max(0, expires - services.now())))"
    }
    return words
  }

  // MARK: Creation

  func create() async throws -> Response {
    guard let completes = UploadHeaders.boolean(request.headers[.uploadComplete]) else {
      throw Refusal(.badRequest, ["reason": "Upload-Complete"])
    }
    var details = try routes.details(request, grant)
    details.filename = details.filename ?? UploadHeaders.filename(request.headers[.contentDisposition])
    details.type = details.type ?? request.headers[.contentType]
    if let digest = UploadHeaders.digest(request.headers[.reprDigest], "sha-256") {
      details.sha256 = digest.hexadecimal
    }
    let length = try length(completes, offset: 0, known: nil)
    let made = try await uploads.make(.draft, details, size: length, grant) { record in
      record.metadata = request.headers[.uploadMetadata]
    }
    var record = made.record
    guard !made.isKnown else {
      return answer(record, record.state == .whole ? .ok : .created, location: routes.location(record.id, request))
    }
    let location = routes.location(record.id, request)
    context.inform(
      Self.informing,
      [
        .location: location, .uploadDraftInteropVersion: String(interop),
        .uploadLimit: Self.limit(services, version: interop, record: record),
      ])
    _ = try await routes.claimed(record.id, context) {
      record = try await uploads.append(request, context, to: record, try append(completes))
      return Response(status: .ok)
    }
    return answer(record, .created, location: location)
  }

  /// The whole length as far as the request tells it.
  ///
  /// - Throws: `server-upload-length`.
  private func length(_ completes: Bool, offset: Int64, known: Int64?) throws -> Int64? {
    let told = UploadHeaders.count(request.headers[.uploadLength])
    let content =
      UploadHeaders.count(request.headers[.contentLength]) ?? (request.headers[.transferEncoding] == nil ? 0 : nil)
    let counted = completes ? content.map { $0.addingReportingOverflow(offset) } : nil
    if counted?.overflow == true { throw Refusal(.tooLarge, ["limit": String(services.limits.upload)]) }
    let all = [known, told, counted?.partialValue].compactMap { $0 }
    guard Set(all).count <= 1 else { throw Refusal(.uploadLength) }
    if let length = all.first, length > services.limits.upload {
      throw Refusal(.tooLarge, ["limit": String(services.limits.upload)])
    }
    return all.first
  }

  private func append(_ completes: Bool) throws -> UploadService.Append {
    var append = UploadService.Append(completes: completes)
    if let text = request.headers[.contentDigest] {
      guard let digest = UploadHeaders.digest(text, "sha-256") else {
        throw Refusal(.checksumAlgorithm, ["algorithm": text])
      }
      append.checksum = ExpectedChecksum(sha256: digest)
    } else if RequestTrailers.announce(.contentDigest, request) {
      append.trailer = { [request, context] in
        let text = try await RequestTrailers.field(.contentDigest, of: request, context)
        return UploadHeaders.digest(text, "sha-256").map { ExpectedChecksum(sha256: $0) }
      }
    }
    let told = ProgressMark()
    append.progress = { [context, interop] offset in
      guard told.passes(offset, step: Self.progressStep) else { return }
      context.inform(
        Self.informing, [.uploadOffset: String(offset), .uploadDraftInteropVersion: String(interop)])
    }
    return append
  }

  // MARK: The upload resource

  func head(_ record: UploadRecord) throws -> Response {
    guard request.headers[.uploadOffset] == nil, request.headers[.uploadComplete] == nil else {
      throw Refusal(.badRequest, ["reason": "Upload-Offset, Upload-Complete"])
    }
    guard record.state != .refused else { throw Refusal(.uploadGone) }
    var response = answer(record, .noContent, location: nil)
    response.headers[.cacheControl] = "no-store"
    return response
  }

  func patch(_ record: UploadRecord) async throws -> Response {
    guard request.headers[.contentType] == Self.partialType else {
      throw Refusal(.encoding, ["encoding": request.headers[.contentType] ?? "-"])
    }
    guard let offset = UploadHeaders.count(request.headers[.uploadOffset]),
      let completes = UploadHeaders.boolean(request.headers[.uploadComplete])
    else { throw Refusal(.badRequest, ["reason": "Upload-Offset, Upload-Complete"]) }
    guard record.state != .refused else { throw Refusal(.uploadGone) }
    guard offset == record.offset else {
      var headers: HTTPFields = [.uploadOffset: String(record.offset)]
      headers[.uploadComplete] = record.state == .whole ? "?1" : "?0"
      throw Refusal(.uploadOffset, ["expected": "\(record.offset)", "found": "\(offset)"], headers: headers)
    }
    guard record.state == .open else {
      throw Refusal(.uploadComplete, headers: [.uploadComplete: "?1", .uploadOffset: String(record.offset)])
    }
    var record = record
    record.size = try length(completes, offset: offset, known: record.size)
    record = try await uploads.append(request, context, to: record, try append(completes))
    return answer(record, record.state == .whole ? .ok : .noContent, location: nil)
  }

  private func answer(_ record: UploadRecord, _ status: HTTPResponse.Status, location: String?) -> Response {
    var headers: HTTPFields = [.uploadDraftInteropVersion: String(interop), .uploadOffset: String(record.offset)]
    let isWhole = record.state == .whole
    headers[.uploadComplete] = isWhole ? "?1" : "?0"
    headers[.uploadLimit] = Self.limit(services, version: interop, record: record)
    if let size = record.size { headers[.uploadLength] = String(size) }
    if let location { headers[.location] = location }
    guard isWhole, status != .noContent else { return Response(status: status, headers: headers) }
    headers[.receiptID] = record.id
    let receipt = Receipt(id: record.id, sha256: record.blob, size: record.size)
    return .json(receipt, status: status, headers: headers)
  }

  // MARK: Problems

  /// A refusal as a problem of RFC 9457, with the types that the draft registers.
  struct Problem: OwnResponse {
    let refusal: Refusal
    private let catalogue: Catalogue

    init(_ refusal: Refusal, _ catalogue: Catalogue) {
      self.refusal = refusal
      self.catalogue = catalogue
    }

    private static let registry = "https://iana.org/assignments/http-problem-types#"

    private var type: String {
      switch refusal.error.code {
      case .uploadOffset: Self.registry + "mismatching-upload-offset"
      case .uploadComplete: Self.registry + "completed-upload"
      case .uploadLength: Self.registry + "inconsistent-upload-length"
      default: "about:blank"
      }
    }

    var response: Response {
      let word = refusal.error.code.id.name
      let message = catalogue.sentence(word, refusal.error.values)
      var members: [String: JSONValue] = [
        "type": .string(type), "title": .string(refusal.status.reasonPhrase), "detail": .string(message),
        "status": .unsigned(UInt64(refusal.status.code)), "code": .string(word), "message": .string(message),
      ]
      if refusal.error.code == .uploadOffset {
        for (name, key) in [("expected-offset", "expected"), ("provided-offset", "found")] {
          members[name] = refusal.error.values[key].flatMap(UInt64.init).map(JSONValue.unsigned)
        }
      }
      return .bytes(
        JSONValue.object(members).line.utf8, "application/problem+json", status: refusal.status,
        headers: refusal.headers)
    }
  }
}
