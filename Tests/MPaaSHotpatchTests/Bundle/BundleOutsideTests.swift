import Foundation
import MPaaSHotpatchTestSupport
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTrust
import Testing

@testable import MPaaSHotpatch

@Suite("Bundles seen by other programs") struct BundleOutsideTests {
  private func folder(_ sample: BundleSample) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try Data(try sample.bundle()).write(to: folder.url.appending(path: "a.mpatch"))
    for (index, key) in sample.keys.enumerated() {
      try Data(key.verificationKey.pem.utf8).write(to: folder.url.appending(path: "key\(index).pem"))
    }
    try Data(try #require(sample.identity.text).utf8).write(to: folder.url.appending(path: "identity"))
    return folder
  }

  @Test(
    "tar, openssl and age open a bundle step by step", .tool("tar"), .tool("openssl"), .tool("age"),
    .tool("python3"))
  func steps() throws {
    var sample = try BundleSample()
    sample.files["lib/tax.lua"] = "return 0.19\n"
    let folder = try folder(sample)
    let steps = """
      set -e
      tar xf a.mpatch
      test "$(ls)" = "$(printf 'a.mpatch\\nidentity\\nkey0.pem\\nmanifest.dsse.json\\npayload.age')"
      python3 - <<'PY'
      import base64, hashlib, json
      envelope = json.load(open('manifest.dsse.json'))
      body, kind = base64.b64decode(envelope['payload']), envelope['payloadType'].encode()
      open('pae', 'wb').write(b'DSSEv1 %d %s %d %s' % (len(kind), kind, len(body), body))
      open('sig', 'wb').write(base64.b64decode(envelope['signatures'][0]['sig']))
      manifest, payload = json.loads(body), open('payload.age', 'rb').read()
      assert len(payload) == manifest['payload']['length']
      assert hashlib.sha256(payload).hexdigest() == manifest['payload']['sha256']
      PY
      openssl pkeyutl -verify -pubin -inkey key0.pem -rawin -in pae -sigfile sig
      mkdir files && age -d -i identity payload.age | tar x -C files
      """
    let outcome = try Command.run("bash", ["-c", steps], directory: folder.url)
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    for (path, text) in sample.files {
      #expect(try Data(contentsOf: folder.url.appending(path: "files/\(path)")) == Data(text.utf8))
    }
  }

  @Test("securesystemslib counts two distinct keys, and misses a third", .pythonPeers)
  func threshold() throws {
    let sample = try BundleSample(keys: 2)
    let folder = try folder(sample)
    let script = """
      import json, sys, tarfile
      from securesystemslib.dsse import Envelope
      from securesystemslib.exceptions import VerificationError
      from securesystemslib.signer import SSlibKey
      from cryptography.hazmat.primitives.serialization import load_pem_public_key
      envelope = Envelope.from_dict(json.load(tarfile.open('a.mpatch').extractfile('manifest.dsse.json')))
      keys = [SSlibKey.from_crypto(load_pem_public_key(open(f'key{i}.pem', 'rb').read())) for i in range(2)]
      assert {key.keyid for key in keys} == set(envelope.signatures)
      envelope.verify(keys, 2)
      for chosen, threshold in [(keys, 3), (keys[:1], 2)]:
          try:
              envelope.verify(chosen, threshold)
          except (VerificationError, ValueError):
              continue
          sys.exit('accepted')
      """
    let outcome = try Command.run(Fixture.python, ["-c", script], directory: folder.url)
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  @Test("a bundle that tar, openssl and age made is accepted", .tool("age"), .tool("openssl"), .tool("python3"))
  func madeOutside() throws {
    let sample = try BundleSample()
    let folder = try TemporaryFolder()
    try Data(BundleSample.script.utf8).write(to: folder.url.appending(path: "main.lua"))
    let recipient = try #require(sample.identity.recipient?.text)
    let steps = """
      set -e
      flat="--format=ustar --owner=0 --group=0 --numeric-owner --mode=0644 --mtime=@0 --blocking-factor=1"
      tar cf i.tar $flat main.lua
      age -r \(recipient) -o payload.age i.tar
      openssl genpkey -algorithm ed25519 -out key.pem && openssl pkey -in key.pem -pubout -out pub.pem
      python3 - <<'PY'
      import base64, hashlib, json, os, subprocess
      digest = lambda b: hashlib.sha256(b).hexdigest()
      script, archive, payload = (open(n, 'rb').read() for n in ('main.lua', 'i.tar', 'payload.age'))
      text = lambda v: json.dumps(v, sort_keys=True, separators=(',', ':')).encode()
      body = text({'schema': 2, 'app': 'com.example.shop', 'channel': 'stable', 'patch': 'cart', 'version': '1.2',
        'app_versions': '*', 'issued': '2027-01-15T08:00:00Z', 'expires': '2027-02-15T08:00:00Z',
        'symbols': ['Cart.total'], 'notes': [],
        'payload': {'length': len(payload), 'sha256': digest(payload), 'plain_length': len(archive)},
        'files': [{'path': 'main.lua', 'size': len(script), 'sha256': digest(script)}]})
      kind = 'application/vnd.mpaas.hotpatch.v2+json'
      open('pae', 'wb').write(b'DSSEv1 %d %s %d %s' % (len(kind), kind.encode(), len(body), body))
      subprocess.check_call('openssl pkeyutl -sign -inkey key.pem -rawin -in pae -out sig'.split())
      der = subprocess.check_output('openssl pkey -in key.pem -pubout -outform DER'.split())
      keyid = digest(text({'keytype': 'ed25519', 'scheme': 'ed25519', 'keyval': {'public': der[-32:].hex()}}))
      b64 = lambda b: base64.b64encode(b).decode()
      open('manifest.dsse.json', 'wb').write(text({'payload': b64(body), 'payloadType': kind,
        'signatures': [{'keyid': keyid, 'sig': b64(open('sig', 'rb').read())}]}))
      PY
      tar cf a.mpatch $flat manifest.dsse.json payload.age
      """
    let outcome = try Command.run("bash", ["-c", steps], directory: folder.url)
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    let key = try VerificationKey(pem: try String(contentsOf: folder.url.appending(path: "pub.pem"), encoding: .utf8))
    let verifier = BundleVerifier(
      signers: TrustedSigners(keys: [key]), identities: [sample.identity], time: BundleSample.issued)
    let bundle = [UInt8](try Data(contentsOf: folder.url.appending(path: "a.mpatch")))
    #expect(try verifier.verify(Bytes(bundle)).files?.first?.text == BundleSample.script)
  }
}
