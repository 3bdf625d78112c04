import Dispatch
import Foundation
import MPaaSHotpatchTestSupport
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTrust
import Synchronization
import Testing

@testable import MPaaSHotpatch

@Suite("Bundles that were changed") struct BundleMutationTests {
  /// Signatures are most of the work, and one over the same manifest tells the same each time.
  ///
  /// So a flip that leaves the manifest's bytes as they are goes to the digest of the payload, which decides then, and
  /// one of them in 61 through all checks; with `MPAAS_FUZZ_ROUNDS` all of them do.
  @Test("every single flipped bit of a bundle is refused")
  func bits() throws {
    let sample = try BundleSample()
    let bundle = try sample.bundle()
    let verifier = sample.verifier
    #expect(try verifier.verify(Bytes(bundle)).files?.count == 1)
    let original = try BundleContainer(reading: Bytes(bundle))
    let stated = try SignedManifest(reading: original.manifest).manifest(BundleLimits()).payload
    let step = SeededRandom.rounds(or: 0) > 0 ? 1 : 61
    let accepted = Mutex<[Int]>([])
    let whole = Mutex(0)
    DispatchQueue.concurrentPerform(iterations: bundle.count) { index in
      var flipped = bundle
      for bit in index * 8..<index * 8 + 8 {
        flipped[index] = bundle[index] ^ 1 << (bit & 7)
        if bit % step != 0 {
          guard let container = try? BundleContainer(reading: Bytes(flipped)) else { continue }
          if container.manifest.array == original.manifest.array {
            let isRefused = (try? BundleVerifier.checkDigest(of: container.payload, stated)) == nil
            if !isRefused { accepted.withLock { $0.append(bit) } }
            continue
          }
        }
        whole.withLock { $0 += 1 }
        if (try? verifier.verify(Bytes(flipped))) != nil { accepted.withLock { $0.append(bit) } }
      }
    }
    #expect(accepted.withLock { $0 } == [])
    // Every bit of the manifest went through all checks.
    #expect(whole.withLock { $0 } >= original.manifest.count * 8)
  }

  @Test("a bundle that was mutated is refused, without a crash and without a hang")
  func mutated() throws {
    let sample = try BundleSample()
    let bundle = try sample.bundle()
    let other = try BundleSample().bundle()
    let verifier = sample.verifier
    var random = SeededRandom(seed: 67)
    for round in 0..<SeededRandom.rounds(or: 400) {
      var bytes = bundle
      for _ in 0..<Int.random(in: 1...4, using: &random) { Self.mutate(&bytes, other, &random) }
      guard bytes != bundle else { continue }
      #expect(throws: TrustError.self, "round \(round)") { try verifier.verify(Bytes(bytes)) }
    }
  }

  @Test("a manifest that was mutated and signed again never crashes the reader")
  func signedAgain() throws {
    let sample = try BundleSample()
    let container = try BundleContainer(reading: Bytes(try sample.bundle()))
    let manifest = try SignedManifest(reading: container.manifest).envelope.payload
    let verifier = sample.verifier
    var random = SeededRandom(seed: 15)
    for _ in 0..<SeededRandom.rounds(or: 200) {
      var bytes = manifest
      for _ in 0..<Int.random(in: 1...3, using: &random) { Self.mutate(&bytes, manifest, &random) }
      let bundle = try sample.bundle(signing: bytes, payload: container.payload.array)
      _ = try? verifier.verify(Bytes(bundle))
    }
  }

  @Test("an archive that was mutated and encrypted again never crashes the reader")
  func encryptedAgain() throws {
    var sample = try BundleSample()
    sample.files["lib/tax.lua"] = "return 1\n"
    let archive = try PayloadArchive.encoded(sample.payload)
    let listed = sample.payload.map(\.listed).sorted { $0.path < $1.path }
    var random = SeededRandom(seed: 49)
    for _ in 0..<SeededRandom.rounds(or: 200) {
      var bytes = archive
      for _ in 0..<Int.random(in: 1...3, using: &random) { Self.mutate(&bytes, archive, &random) }
      guard bytes != archive else { continue }
      #expect(throws: TrustError.self) { try PayloadArchive.files(in: Bytes(bytes), listed: listed) }
    }
  }

  private static func mutate(_ bytes: inout [UInt8], _ other: [UInt8], _ random: inout SeededRandom) {
    guard !bytes.isEmpty else { return }
    let place = Int.random(in: 0..<bytes.count, using: &random)
    let end = min(bytes.count, place + Int.random(in: 1...600, using: &random))
    switch Int.random(in: 0..<8, using: &random) {
    case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
    case 1: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
    case 2: bytes.removeSubrange(place..<end)
    case 3: bytes.insert(contentsOf: bytes[place..<end], at: place)
    case 4: bytes.removeLast(bytes.count - place)
    case 5: bytes.replaceSubrange(place..<end, with: repeatElement(0, count: end - place))
    case 6: bytes += other.prefix(Int.random(in: 1...1024, using: &random))
    default:
      let length = min(end - place, max(0, other.count - place))
      if length > 0 { bytes.replaceSubrange(place..<place + length, with: other[place..<place + length]) }
    }
  }
}
