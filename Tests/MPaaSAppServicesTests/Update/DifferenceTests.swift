import MPaaSDeltas
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("Differences of files") struct DifferenceTests {
  @Test("lead back to the newer file, also where one of both is empty")
  func roundTrip() throws {
    let files = [
      [], Array("a".utf8), UpdateSamples.package(1), UpdateSamples.package(2), UpdateSamples.package(3, size: 300_000),
    ]
    for old in files {
      for new in files {
        let delta = try ZstdFrame.difference(from: Bytes(old), to: Bytes(new))
        #expect(ZstdFrame.contentSize(of: delta) == new.count)
        #expect(ZstdFrame.content(of: delta, against: Bytes(old), size: new.count)?.array == new)
      }
    }
  }

  @Test("are small where little changed, over distances beyond usual windows, too")
  func size() throws {
    let size = 12 << 20
    let old = UpdateSamples.package(1, size: size)
    // The second half comes first, so that matches lie far back.
    let new = Array(old[(size / 2)...] + old[..<(size / 2)])
    let delta = try ZstdFrame.difference(from: Bytes(old), to: Bytes(new), level: 3)
    #expect(delta.count < 20_000)
    #expect(ZstdFrame.content(of: delta, against: Bytes(old), size: size)?.array == new)
  }

  @Test("that are damaged, or applied to another file, give nothing wrong")
  func damaged() throws {
    let (old, new) = (Bytes(UpdateSamples.package(1)), UpdateSamples.package(2))
    let delta = try ZstdFrame.difference(from: old, to: Bytes(new)).array
    var random = SeededRandom(seed: 4)
    for _ in 0..<SeededRandom.rounds(or: 300) {
      var bytes = delta
      bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= UInt8.random(in: 1...255, using: &random)
      let content = ZstdFrame.content(of: Bytes(bytes), against: old, size: new.count)
      #expect(content == nil || content?.array == new)
      _ = ZstdFrame.contentSize(of: Bytes(bytes))
    }
    #expect(ZstdFrame.content(of: Bytes(delta), against: Bytes(UpdateSamples.package(3)), size: new.count) == nil)
    #expect(ZstdFrame.content(of: Bytes(delta), against: old, size: new.count + 1) == nil)
  }
}
