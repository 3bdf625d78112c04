import HTTPTypes
import Hummingbird
import MPaaSProtocol
import MPaaSSupport

/// tus 1.0.0: core, creation with and without bytes, deferred lengths, checksums before and behind the bytes,
/// expiration, termination, concatenation.
///
/// Source: tus.io, Resumable upload protocol 1.0.x.
struct TusWire {
  static let version = "1.0.0"
  static let bodyType = "application/offset+octet-stream"

  private let routes: UploadRoutes
  private let request: Request
  private let context: ServerContext
  private let grant: Grant

  init(_ routes: UploadRoutes, _ request: Request, _ context: ServerContext, _ grant: Grant) {
    self.routes = routes
    self.request = request
    self.context = context
    self.grant = grant
  }

  private var uploads: UploadService { routes.uploads }

  static func options(_ services: ServerServices) -> HTTPFields {
    [
      .tusResumable: version, .tusVersion: version, .tusMaxSize: String(services.limits.upload),
      .tusExtension:
        "creation,creation-with-upload,creation-defer-length,checksum,checksum-trailer,expiration,termination,concatenation",
      .tusChecksumAlgorithm: UploadChecksum.algorithms.joined(separator: ","),
    ]
  }

  /// - Throws: `server-protocol-version`.
  func checkVersion() throws {
    guard request.headers[.tusResumable] == Self.version else {
      throw Refusal(.protocolVersion, ["version": request.headers[.tusResumable] ?? "-"])
    }
  }

  // MARK: Creation

  func create() async throws -> Response {
    try checkVersion()
    let details = try routes.details(request, grant)
    let concat = request.headers[.uploadConcat] ?? ""
    if concat.hasPrefix("final;") { return try await createFinal(String(concat.dropFirst(6)), details) }
    guard concat.isEmpty || concat == "partial" else { throw Refusal(.badRequest, ["reason": "Upload-Concat"]) }
    let length = UploadHeaders.count(request.headers[.uploadLength])
    let isDeferred = request.headers[.uploadDeferLength] == "1"
    guard (length != nil) != isDeferred, request.headers[.uploadLength] == nil || length != nil else {
      throw Refusal(.badRequest, ["reason": "Upload-Length"])
    }
    let append = try append()
    let made = try await uploads.make(.tus, details, size: length, grant) { record in
      if concat == "partial" { record.concatenation = .partial }
      record.metadata = request.headers[.uploadMetadata]
    }
    var record = made.record
    let hasBytes = request.headers[.contentType] == Self.bodyType
    if !made.isKnown, hasBytes || record.size == 0 {
      _ = try await routes.claimed(record.id, context) {
        record = try await uploads.append(request, context, to: record, append)
        return Response(status: .created)
      }
    }
    var headers = self.headers(record)
    headers[.location] = routes.location(record.id, request)
    if hasBytes { headers[.uploadOffset] = String(record.offset) }
    return Response(status: .created, headers: headers)
  }

  private func createFinal(_ list: String, _ details: UploadDetails) async throws -> Response {
    guard request.headers[.uploadLength] == nil else { throw Refusal(.badRequest, ["reason": "Upload-Length"]) }
    let ids = list.split(separator: " ").map { $0.split(separator: "/").last.map(String.init) ?? "" }
    guard !ids.isEmpty else { throw Refusal(.badRequest, ["reason": "Upload-Concat"]) }
    var parts: [UploadRecord] = []
    var size: Int64 = 0
    for id in ids {
      let part = try await uploads.record(id, grant)
      guard part.concatenation == .partial, part.state == .whole else { throw Refusal(.concatenation, ["id": id]) }
      size += part.offset
      guard size <= uploads.services.limits.upload else {
        throw Refusal(.tooLarge, ["limit": String(uploads.services.limits.upload)])
      }
      parts.append(part)
    }
    let made = try await uploads.make(.tus, details, size: size, grant) { record in
      record.concatenation = .final
      record.parts = list
      record.metadata = request.headers[.uploadMetadata]
    }
    var record = made.record
    if record.state == .open {
      _ = try await routes.claimed(record.id, context) {
        record = try await uploads.concatenate(record, parts)
        return Response(status: .created)
      }
    }
    var headers = self.headers(record)
    headers[.location] = routes.location(record.id, request)
    return Response(status: .created, headers: headers)
  }

  // MARK: Core

  func head(_ record: UploadRecord) throws -> Response {
    try checkVersion()
    guard record.state != .refused else { throw Refusal(.uploadGone) }
    var headers = self.headers(record)
    headers[.uploadOffset] = String(record.offset)
    if let size = record.size { headers[.uploadLength] = String(size) } else { headers[.uploadDeferLength] = "1" }
    if let metadata = record.metadata { headers[.uploadMetadata] = metadata }
    switch record.concatenation {
    case .partial: headers[.uploadConcat] = "partial"
    case .final: headers[.uploadConcat] = "final;" + (record.parts ?? "")
    case nil: break
    }
    headers[.cacheControl] = "no-store"
    return Response(status: .ok, headers: headers)
  }

  func patch(_ record: UploadRecord) async throws -> Response {
    try checkVersion()
    guard request.headers[.contentType] == Self.bodyType else {
      throw Refusal(.encoding, ["encoding": request.headers[.contentType] ?? "-"])
    }
    guard let offset = UploadHeaders.count(request.headers[.uploadOffset]) else {
      throw Refusal(.badRequest, ["reason": "Upload-Offset"])
    }
    guard record.concatenation != .final else { throw Refusal(.concatenation, ["id": record.id]) }
    guard record.state != .refused else { throw Refusal(.uploadGone) }
    guard offset == record.offset else {
      throw Refusal(
        .uploadOffset, ["expected": "\(record.offset)", "found": "\(offset)"],
        headers: [.uploadOffset: String(record.offset)])
    }
    let append = try append()
    var record = record
    if let text = request.headers[.uploadLength] {
      guard let length = UploadHeaders.count(text), record.size ?? length == length, length >= offset else {
        throw Refusal(.uploadLength)
      }
      guard length <= uploads.services.limits.upload else {
        throw Refusal(.tooLarge, ["limit": String(uploads.services.limits.upload)])
      }
      record.size = length
    }
    if record.state == .open { record = try await uploads.append(request, context, to: record, append) }
    var headers = self.headers(record)
    headers[.uploadOffset] = String(record.offset)
    return Response(status: .noContent, headers: headers)
  }

  /// Appends by what the request says of its bytes, before them or behind them.
  private func append() throws -> UploadService.Append {
    let checksum = try ExpectedChecksum(tus: request.headers[.uploadChecksum])
    guard checksum == nil, RequestTrailers.announce(.uploadChecksum, request) else { return .init(checksum: checksum) }
    return .init(trailer: { [request, context] in
      try ExpectedChecksum(tus: try await RequestTrailers.field(.uploadChecksum, of: request, context))
    })
  }

  private func headers(_ record: UploadRecord) -> HTTPFields {
    var headers: HTTPFields = [.tusResumable: Self.version]
    if let expires = record.expires { headers[.uploadExpires] = HTTPDate.text(expires) }
    if record.blob != nil { headers[.receiptID] = record.id }
    return headers
  }
}
