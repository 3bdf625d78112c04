import Foundation
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTrust
import MPaaSTrustTools
import Testing

@testable import MPaaSAppServices

@Suite("Signed states of flags") struct SignedFlagTests {
  let key: SigningKey
  let samples: FlagSamples

  init() throws {
    key = try SigningKey.generate()
    samples = try FlagSamples()
  }

  static let now = Date(timeIntervalSince1970: ManualClock.start)

  func document(
    _ version: Int, _ flags: [String: Bool] = ["a": true], app: String = "shop", expires: TimeInterval = 86_400
  ) -> SignedFlagState {
    SignedFlagState(
      app: app, version: version, expires: Self.now + expires, state: Array(FlagSamples.state(flags).utf8))
  }

  func envelope(
    _ document: SignedFlagState, by keys: [SigningKey]? = nil, type: String = SignedFlagState.payloadType
  ) throws -> [UInt8] {
    try DSSEEnvelope.sign(document.encoded, type: type, with: keys ?? [key]).encoded
  }

  func serve(_ bytes: [UInt8]) { samples.server.answer { _ in FlagResponse(status: 200, body: bytes) } }

  func client() -> FlagClient {
    samples.client { $0.trust = .envelope(keys: [key.verificationKey], path: "client/signed") }
  }

  func refusal(_ client: FlagClient, _ bytes: [UInt8]) async -> String? {
    serve(bytes)
    do throws(AppServiceError) { try await client.refresh() } catch { return error.identifier }
    return nil
  }

  @Test("are taken in their order, kept as they came, and used at the next start, expired or not")
  func taken() async throws {
    let client = client()
    serve(try envelope(document(1)))
    try await client.refresh()
    #expect(client.isEnabled("a") && samples.server.requests.last?.url == "http://flags.test/api/client/signed")
    serve(try envelope(document(3, ["a": false, "b": true])))
    try await client.refresh()
    #expect(!client.isEnabled("a") && client.isEnabled("b"))
    try await client.refresh()
    samples.clock.advance(.seconds(1_000_000))
    let next = self.client()
    #expect(next.isEnabled("b") && next.source == .cache)
    #expect(await refusal(next, try envelope(document(4))) == "flags-signed-expired")
    #expect(next.isEnabled("b"))
  }

  @Test("one that is unsigned, of others, older, expired, of another app or kind is refused; the last good one stays")
  func refused() async throws {
    let client = client()
    let other = try SigningKey.generate()
    serve(try envelope(document(5)))
    try await client.refresh()
    let good = document(6, ["a": false])
    let cases: [(String, [UInt8])] = [
      ("envelope-malformed", Array(FlagSamples.state(["a": false]).utf8)),
      ("envelope-malformed", good.encoded),
      ("signature-missing", try envelope(good, by: [])),
      ("signature-invalid", try envelope(good, by: [other])),
      ("envelope-payload-type", try envelope(good, type: "application/vnd.mpaas.other+json")),
      ("flags-signed-older", try envelope(document(4))),
      ("flags-signed-older", try envelope(document(5, ["a": false]))),
      ("flags-signed-expired", try envelope(document(6, expires: 0))),
      ("flags-signed-malformed", try envelope(document(6, app: "other"))),
    ]
    for (identifier, bytes) in cases {
      #expect(await refusal(client, bytes) == identifier)
      #expect(client.isEnabled("a"), "\(identifier)")
    }
    // The number is remembered over the end of the app, and over the loss of the state.
    try FileManager.default.removeItem(atPath: samples.folder.path + "/flags/flags-nobody")
    let next = self.client()
    #expect(next.source == nil)
    #expect(await refusal(next, try envelope(document(4))) == "flags-signed-older")
    #expect(await refusal(next, try envelope(document(5))) == nil)
    #expect(next.isEnabled("a"))
  }

  @Test("a kept one whose signature does not hold any more counts as none")
  func keptByOthers() async throws {
    serve(try envelope(document(1)))
    try await client().refresh()
    let other = try SigningKey.generate()
    let changed = samples.client { $0.trust = .envelope(keys: [other.verificationKey], path: "client/signed") }
    #expect(!changed.isEnabled("a") && changed.source == nil)
    #expect(client().isEnabled("a"))
  }

  @Test("a document must have each member once and of its type, and may have others")
  func members() throws {
    let good = document(1)
    func read(_ text: String) throws -> SignedFlagState {
      try Array(text.utf8).withUnsafeBytes { try .init(reading: $0) }
    }
    let text = String(decoding: good.encoded, as: UTF8.self)
    #expect(try read(text) == good)
    #expect(try read(text.replacingOccurrences(of: "{\"app\"", with: "{ \"new\": [1], \"app\"")) == good)
    let changes = [
      ("\"version\":1,", "\"version\":-1,"), ("\"version\":1,", "\"version\":1,\"version\":2,"),
      ("\"version\":1,", ""), ("mpaas.flags/1", "mpaas.flags/2"), ("\"app\":\"shop\",", ""), ("Z\"", "\""),
      ("\"state\"", "\"State\""), ("\"version\":1,", "\"version\":1.5,"),
    ]
    for (old, new) in changes {
      let changed = text.replacingOccurrences(of: old, with: new)
      #expect(changed != text)
      #expect(throws: TrustError.self, "\(changed)") { try read(changed) }
    }
    for count in 0..<text.utf8.count {
      #expect(throws: TrustError.self) { try read(String(decoding: good.encoded[..<count], as: UTF8.self)) }
    }
  }

  /// With `MPAAS_FUZZ_ROUNDS=10000` ten thousand of them.
  @Test("no flipped bit of a signed state is ever accepted")
  func flipped() throws {
    let trust = FlagTrust.envelope(keys: [key.verificationKey])
    let bytes = try envelope(document(1, ["a": true, "b": false, "c": true]))
    #expect(try trust.document(in: bytes) != nil)
    var random = SeededRandom(seed: 3)
    var accepted = 0
    for _ in 0..<SeededRandom.rounds(or: 500) {
      var flipped = bytes
      flipped[Int.random(in: 0..<bytes.count, using: &random)] ^= 1 << UInt8.random(in: 0...7, using: &random)
      if (try? trust.document(in: flipped)) != nil { accepted += 1 }
    }
    #expect(accepted == 0)
  }

  @Test("come as a target of a signed repository, too; an older or expired repository, or none, is refused")
  func repository() async throws {
    let path = samples.folder.path + "/repository"
    let editor = RepositoryEditor(path, now: { Self.now })
    _ = try editor.create(.init(offline: [key.verificationKey], online: [key.verificationKey]), keys: [key])
    func publish(_ document: SignedFlagState) throws {
      _ = try editor.edit(keys: [key]) { draft throws(TrustError) in
        try draft.add(.bytes(document.encoded), as: SignedFlagState.path(app: "shop"))
      }
    }
    let root = try Bytes.reading(path + "/metadata/1.root.json").array
    func client() -> FlagClient { samples.client { $0.trust = .repository(root: root, mirrors: [path]) } }
    let missing = await #expect(throws: AppServiceError.self) { try await client().refresh() }
    #expect(missing?.identifier == "flags-signed-missing")
    try publish(document(1))
    let first = client()
    try await first.refresh()
    #expect(first.isEnabled("a"))
    try FileManager.default.copyItem(atPath: path, toPath: path + "-old")
    try publish(document(2, ["a": false]))
    try await first.refresh()
    #expect(!first.isEnabled("a") && client().source == .cache)
    let old = samples.client { $0.trust = .repository(root: root, mirrors: [path + "-old"]) }
    let rollback = await #expect(throws: AppServiceError.self) { try await old.refresh() }
    #expect(rollback?.identifier == "metadata-rollback")
    // The publisher itself goes back: the repository is newer, and the state in it is not.
    try publish(document(1))
    let older = await #expect(throws: AppServiceError.self) { try await first.refresh() }
    #expect(older?.identifier == "flags-signed-older" && !first.isEnabled("a"))
  }
}
