import Hummingbird
import MPaaSAppPackage
import MPaaSDatabase
import MPaaSProtocol
import MPaaSSupport
import NIOCore

/// Takes builds in: a body goes into a file, whose facts are read before it is kept.
struct BuildIntake: Sendable {
  let services: ServerServices
  private let uploads: UploadService

  init(_ services: ServerServices) {
    self.services = services
    uploads = UploadService(services)
  }

  typealias Kept = (build: BuildEntry, isKnown: Bool)

  /// Keeps the body of a request.
  ///
  /// - Parameter app: The key of the app that it is a build of.
  /// - Throws: `Refusal`, as `server-build-unknown`; then nothing of it is left.
  func take(_ request: Request, _ context: ServerContext, app: String, filename: String?) async throws -> Kept {
    let expected = UploadHeaders.digest(request.headers[.reprDigest], "sha-256")?.hexadecimal
    return try await inFile { path in
      let file = try await receive(request, context, path, app)
      return try await keep(file, app: app, filename: filename, sha256: expected, context)
    }
  }

  /// Keeps the file of a form (`multipart/form-data`, the field `file`).
  func takeForm(_ request: Request, _ context: ServerContext, app: String) async throws -> Kept {
    guard let boundary = MultipartForm.boundary(of: request.headers[.contentType]) else {
      throw Refusal(.badRequest, ["reason": "multipart/form-data"])
    }
    return try await inFile { path in
      let form = try await receive(request, context, path, app)
      return try await inFile { part in
        let (file, filename) = try await services.disk { try Self.part(of: form, boundary, to: part) }
        return try await keep(file, app: app, filename: filename, sha256: nil, context)
      }
    }
  }

  /// Writes the file of a form into one of its own.
  private static func part(
    of form: UploadFile, _ boundary: String, to path: String
  ) throws -> (file: UploadFile, filename: String?) {
    let bytes = try Bytes.mapping(form.path)
    let parts = try MultipartForm(bytes.buffer, boundary: boundary).parts
    guard let part = parts.first(where: { $0.name == "file" && !$0.content.isEmpty }) else {
      throw Refusal(.badRequest, ["reason": "file"])
    }
    let file = try UploadFile(path, offset: 0, hashed: nil)
    var place = part.content.lowerBound
    while place < part.content.upperBound {
      let end = min(place + 1 << 20, part.content.upperBound)
      try file.append([ByteBuffer(bytes: bytes.buffer[place..<end])])
      place = end
    }
    return (file, part.filename)
  }

  /// Does `body` with the path of a file that is there only meanwhile; a start removes what a killed server left.
  private func inFile<Value>(_ body: (String) async throws -> Value) async throws -> Value {
    let path = uploads.path(of: "build-" + Access.randomBytes(16).hexadecimal)
    do {
      let value = try await body(path)
      try? await services.disk { try FileSystem.remove(path) }
      return value
    } catch {
      try? await services.disk { try FileSystem.remove(path) }
      throw error
    }
  }

  /// Writes a body to a file, as far as it and the quotas allow.
  private func receive(
    _ request: Request, _ context: ServerContext, _ path: String, _ app: String
  ) async throws -> UploadFile {
    let quota = quota(app, context)
    let announced = UploadHeaders.count(request.headers[.contentLength]) ?? 0
    if let refusal = services.quotas.refusal(quota, bytes: announced, at: services.now()) { throw refusal }
    var reader = try RequestBodyReader(request, context, limit: services.limits.upload, limits: services.limits)
    let file = try await services.disk { try UploadFile(path, offset: 0, hashed: nil) }
    try await uploads.receive(&reader, into: file, nil)
    services.quotas.count(quota, bytes: file.offset, at: services.now())
    return file
  }

  /// Those whose quotas count a build.
  private func quota(_ app: String, _ context: ServerContext) -> [String] {
    context.grant.map { QuotaMeter.subjects(app: app, caller: $0.id) } ?? [QuotaMeter.subject(app: app)]
  }

  private func keep(
    _ file: UploadFile, app: String, filename: String?, sha256: String?, _ context: ServerContext
  ) async throws -> Kept {
    let digest = try await services.disk {
      try file.settle()
      return try file.digest()
    }
    if let sha256, sha256 != digest { throw Refusal(.digestMismatch, ["expected": sha256, "found": digest]) }
    let package = try await facts(file.path)
    let fresh = BuildEntry(
      package, app: app, filename: filename, size: file.offset, sha256: digest, author: context.grant?.name ?? "",
      at: services.now())
    let deed = AuditTrail.Deed(fresh, "build.added", by: context.grant)
    let hold = try await services.hold(digest)
    var kept: Kept
    do {
      try await services.blobs.store(file: file.path, as: digest, size: file.offset)
      kept = try await services.store.write { database in
        if let known = try BuildStore.build(blob: digest, app: app, in: database) { return (known, true) }
        try BuildStore.insert(fresh, in: database)
        try AuditTrail.add(deed, at: fresh.added, in: database)
        return (fresh, false)
      }
    } catch {
      await services.release([hold], isNamed: false)
      throw error
    }
    await services.release([hold], isNamed: true)
    if !kept.isKnown {
      kept.build.symbols = await BuildSymbols(services).add(package, at: file.path, by: context.grant)
    }
    if kept.isKnown {
      services.counts.duplicate("build")
    } else {
      services.counts.accepted("build", bytes: fresh.size)
    }
    return kept
  }

  private func facts(_ path: String) async throws -> AppPackage {
    do {
      return try await services.disk { try AppPackage(try Bytes.mapping(path)) }
    } catch let error as AppPackageError {
      throw Refusal(ServerError.Code(error.code), ["reason": String(error.reason.prefix(200))])
    }
  }
}

extension BuildEntry {
  /// Makes the entry of a build that has come just now.
  fileprivate init(
    _ package: AppPackage, app: String, filename: String?, size: Int64, sha256: String, author: String, at time: Double
  ) {
    self.init(
      id: Access.randomBytes(8).hexadecimal, app: app, kind: package.kind.rawValue, name: package.name,
      identifier: package.identifier, version: package.version, build: package.build,
      minimumSystem: package.minimumSystem, filename: "", size: size, sha256: sha256,
      signature: package.signature.map(Signature.init), author: author, added: time)
    self.filename = Self.filename(filename) ?? "\(identifier)-\(version)-\(build).\(fileEnding)"
  }

  /// The ending of its file.
  private var fileEnding: String { kind == AppPackage.Kind.xcarchive.rawValue ? "xcarchive.zip" : kind }

  /// The last part of a name as a client sent it, without signs that no name has; nil where nothing is left.
  private static func filename(_ text: String?) -> String? {
    let name = (text ?? "").split { $0 == "/" || $0 == "\\" }.last ?? ""
    let plain = name.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7f }.prefix(200)
    return plain.isEmpty ? nil : String(String.UnicodeScalarView(plain))
  }
}

extension BuildEntry.Signature {
  fileprivate init(_ signature: AppPackage.Signature) {
    func told(_ text: String) -> String? { text.isEmpty ? nil : String(text.prefix(200)) }
    self.init()
    (team, profile) = (told(signature.team), told(signature.profile))
    (certificate, scheme) = (told(signature.certificate), told(signature.scheme))
    distribution = signature.distribution?.rawValue
    expires = signature.expires.map(Int64.init)
  }
}

extension AuditTrail.Deed {
  /// Makes the entry of what was done with a build.
  init(_ build: BuildEntry, _ action: String, by grant: Grant?, _ detail: String = "") {
    self.init(
      actor: grant?.name ?? "", action: action,
      object: "\(build.id) \(build.kind) \(build.identifier) \(build.version) (\(build.build))", detail: detail,
      app: build.app)
  }
}
