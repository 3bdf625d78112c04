import Foundation
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTrust
import MPaaSTrustTools
import Testing

/// Against `securesystemslib.dsse`, in both directions.
@Suite("Signed envelopes and securesystemslib", .pythonPeers) struct DSSEPeerTests {
  @Test("securesystemslib verifies ours by two of three keys, and not a changed one")
  func ours() throws {
    let keys = try SignatureScheme.allCases.map { try SigningKey.generate($0) }
    let envelope = try DSSEEnvelope.sign(Array("a fix ü".utf8), type: "application/x-fix", with: keys)
    let metadata = JSONValue.array(
      keys.map { ["id": .string($0.verificationKey.keyID), "key": $0.verificationKey.metadata] })
    let script = """
      import json, sys
      from securesystemslib.dsse import Envelope
      from securesystemslib.signer import SSlibKey
      keys = [SSlibKey.from_dict(k["id"], k["key"]) for k in json.loads(sys.argv[2])]
      envelope = Envelope.from_dict(json.loads(sys.argv[1]))
      assert len(envelope.verify(keys, 3)) == 3
      envelope.payload += b"x"
      try:
        envelope.verify(keys, 1)
      except Exception:
        print("both", end="")
      """
    let text = String(decoding: envelope.encoded, as: UTF8.self)
    let outcome = try Command.run(Fixture.python, ["-c", script, text, metadata.line])
    #expect(outcome.output == "both", "\(outcome.errors)")
  }

  @Test("we verify what securesystemslib signs with all three schemes")
  func theirs() throws {
    let script = """
      import json
      from securesystemslib.dsse import Envelope
      from securesystemslib.signer import CryptoSigner
      signers = [CryptoSigner.generate_ed25519(), CryptoSigner.generate_ecdsa(), CryptoSigner.generate_rsa()]
      envelope = Envelope(b"a fix", "application/x-fix", {})
      for signer in signers: envelope.sign(signer)
      print(json.dumps({"envelope": envelope.to_dict(), "keys": [s.public_key.to_dict() for s in signers]}))
      """
    let outcome = try Command.run(Fixture.python, ["-c", script])
    let value = try Array(outcome.output.utf8).withUnsafeBytes { try JSONValue(reading: $0) }
    let envelope = try Array(try #require(value.object?["envelope"]).line.utf8).withUnsafeBytes {
      try DSSEEnvelope(reading: $0)
    }
    let keys = try #require(value.object?["keys"]?.array).map { try VerificationKey(metadata: $0) }
    #expect(try envelope.verify(by: keys, threshold: 3) == keys)
    #expect(envelope.payload == Array("a fix".utf8))
  }
}
