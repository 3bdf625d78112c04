import CSecurity
import Foundation
import MPaaSSupport
import MPaaSSymbols
import MPaaSTestSupport
import Testing

#if os(Linux)
  @Suite("An image in memory") struct ImageTests {
    /// A library as the kernel would map it.
    private struct Mapped {
      let bytes: [UInt8]
      /// The place of the dynamic section.
      let dynamic: Int

      init(_ image: ELFImage) throws {
        let loads = image.segments.filter { $0.type == ELFSegment.load }
        let end = loads.map { $0.address + $0.memorySize }.max() ?? 0
        var bytes = [UInt8](repeating: 0, count: Int(end + 4095) / 4096 * 4096)
        for load in loads {
          let content = try #require(image.bytes.slice(at: load.offset, size: load.fileSize))
          bytes.replaceSubrange(Int(load.address)..<Int(load.address) + content.count, with: content.buffer)
        }
        self.bytes = bytes
        dynamic = Int(image.segments.first { $0.type == ELFSegment.dynamic }?.address ?? 0)
      }
    }

    private static func library() throws -> Mapped? {
      guard let path = try Attack.library("slot", Attack.slot) else { return nil }
      return try Mapped(try ELFImage(try Bytes.mapping(path)))
    }

    private func probe(_ bytes: [UInt8]) -> Int {
      // Pages of its own, so that a read past the end is one of other memory.
      let memory = UnsafeMutableRawPointer.allocate(byteCount: mp_security_size(), alignment: 16)
      let image = UnsafeMutableRawPointer.allocate(byteCount: bytes.count, alignment: 4096)
      defer {
        memory.deallocate()
        image.deallocate()
      }
      bytes.withUnsafeBytes { image.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(image), byteCount: $0.count) }
      return mp_security_probe_image(memory, image, bytes.count, "attack")
    }

    @Test("has as many slots as its file")
    func slots() throws {
      guard let path = try Attack.library("slot", Attack.slot), let mapped = try Self.library() else {
        return print("skipped: there is no cc")
      }
      let slots = try ELFImage(try Bytes.mapping(path)).slots
      #expect(slots.contains { $0.name == "mprotect" && $0.isCall } && probe(mapped.bytes) == slots.count)
    }

    @Test("is read without harm, whatever it says of itself")
    func fuzz() throws {
      guard let mapped = try Self.library() else { return print("skipped: there is no cc") }
      var random = SeededRandom(seed: 2028)
      for _ in 0..<SeededRandom.rounds(or: 300) {
        var bytes = mapped.bytes
        for _ in 0..<Int.random(in: 1...6, using: &random) {
          let places = [0..<0x300, mapped.dynamic..<mapped.dynamic + 0x200, 0..<bytes.count]
          let range = places[Int.random(in: 0..<3, using: &random)]
          let place = Int.random(in: range, using: &random) & ~7
          guard place + 8 <= bytes.count else { continue }
          let value: UInt64 =
            Bool.random(using: &random)
            ? random.next() : UInt64.random(in: 0..<UInt64(2 * bytes.count), using: &random)
          withUnsafeBytes(of: value) { bytes.replaceSubrange(place..<place + 8, with: $0) }
        }
        _ = probe(bytes)
      }
    }
  }
#endif
