package import Foundation
import MPaaSDigests
package import MPaaSHotpatch
package import MPaaSHotpatchTools
package import MPaaSSupport
package import MPaaSTrust
import MPaaSTrustTools
package import Testing

/// Keys and a small patch that the tests of bundles build, sign and break.
package struct BundleSample {
  package static let script = "patch(\"Cart.total\", function(items, rate) return ORIG(items, rate) * 0.9 end)\n"
  package static let issued = Date(timeIntervalSince1970: 1_800_000_000)

  package let keys: [SigningKey]
  package let identity: AgeIdentity
  package var files: [String: String] = ["main.lua": BundleSample.script]
  package var manifest: PatchManifest

  package init(keys count: Int = 1) throws {
    keys = try (0..<count).map { _ in try SigningKey.generate() }
    identity = AgeIdentity.generate()
    manifest = PatchManifest(
      app: "com.example.shop", channel: "stable", patch: "cart", version: try #require(DottedVersion("1.2")),
      appVersions: try #require(DottedVersionRange(">=8.0,<9")), issued: Self.issued,
      expires: Self.issued + 30 * 86_400, symbols: ["Cart.total"],
      payload: .init(length: 0, sha256: "", plainLength: 0), files: [], notes: "Totals.\n\n修正总价。")
  }

  package var payload: [PayloadFile] {
    files.map { PayloadFile(path: $0.key, contents: Bytes(Array($0.value.utf8))) }
  }

  package var builder: BundleBuilder {
    BundleBuilder(manifest: manifest, files: payload, recipients: [identity.recipient].compactMap { $0 }, keys: keys)
  }

  package func bundle() throws -> [UInt8] { try builder.build().bytes }

  package var verifier: BundleVerifier { verifier(threshold: keys.count) }

  package func verifier(threshold: Int, opening: Bool = true) -> BundleVerifier {
    BundleVerifier(
      signers: TrustedSigners(keys: keys.map(\.verificationKey), threshold: threshold),
      identities: opening ? [identity] : [], time: Self.issued)
  }

  /// A bundle around any manifest and payload, signed as it should be.
  package func bundle(
    payload: [UInt8], plainLength: Int, type: String = PatchManifest.payloadType,
    _ change: (inout JSONValue.Object) -> Void = { _ in }
  ) throws -> [UInt8] {
    var manifest = manifest
    manifest.payload = .init(
      length: payload.count, sha256: payload.sha256.hexadecimal, plainLength: plainLength)
    manifest.files = self.payload.map(\.listed).sorted { PatchManifest.precedes($0.path, $1.path) }
    var json = manifest.json.object ?? [:]
    change(&json)
    return try bundle(signing: try JSONValue.object(json).canonical(), payload: payload, type: type)
  }

  package func bundle(signing text: [UInt8], payload: [UInt8], type: String = PatchManifest.payloadType) throws
    -> [UInt8]
  {
    let envelope = try DSSEEnvelope.sign(text, type: type, with: keys)
    return BundleContainer.encoded(manifest: envelope.encoded, payload: payload)
  }

  /// A bundle whose payload is this archive.
  package func bundle(archive: [UInt8], plainLength: Int? = nil) throws -> [UInt8] {
    let payload = try archive.withUnsafeBytes { try Age.encrypt($0, to: [identity.recipient].compactMap { $0 }) }
    return try bundle(payload: payload, plainLength: plainLength ?? archive.count)
  }

  /// A bundle whose envelope is changed after it was signed.
  package func bundle(changing change: (inout DSSEEnvelope) throws -> Void) throws -> [UInt8] {
    let container = try BundleContainer(reading: Bytes(try bundle()))
    var envelope = try container.manifest.array.withUnsafeBytes { try DSSEEnvelope(reading: $0) }
    try change(&envelope)
    return BundleContainer.encoded(manifest: envelope.encoded, payload: container.payload.array)
  }

  /// A bundle whose envelope is this text.
  package func bundle(envelope: (String) -> String) throws -> [UInt8] {
    let container = try BundleContainer(reading: Bytes(try bundle()))
    let text = envelope(String(decoding: container.manifest.array, as: UTF8.self))
    return BundleContainer.encoded(manifest: Array(text.utf8), payload: container.payload.array)
  }
}

/// Checks that a bundle fails with an identifier, an exit status and, where it is asked for, a reason, and hands out
/// nothing.
package func expectRefusal(
  _ id: String, _ exit: MPaaSSupport.ExitStatus, of bytes: [UInt8], by verifier: BundleVerifier,
  reason: String? = nil, _ location: SourceLocation = #_sourceLocation
) {
  do {
    let verified = try verifier.verify(Bytes(bytes))
    Issue.record("accepted with \(verified.checks)", sourceLocation: location)
  } catch {
    #expect(error.identifier == id, "\(error)", sourceLocation: location)
    #expect(error.code.exit == exit, "\(error)", sourceLocation: location)
    if let reason { #expect(error.values["reason"] == reason, sourceLocation: location) }
  }
}
