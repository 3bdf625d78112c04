import CUnwind
import MPaaSCrash
import Testing

#if os(Linux) && arch(x86_64)
  @Suite("Threads on their way back from a signal handler") struct SignalReturnTests {
    /// Code at 0x10000 and a stack at 0x20000, a page each.
    private final class Memory: TargetMemory {
      private var bytes = [UInt8](repeating: 0x90, count: 0x11000)

      func put(_ new: [UInt8], at address: Int) {
        bytes.replaceSubrange(address - 0x10000..<address - 0x10000 + new.count, with: new)
      }

      func put(_ number: UInt64, at address: Int) {
        put((0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }, at: address)
      }

      var reader: mp_memory {
        mp_memory(
          read: { context, address, target, size in
            guard let context, let target else { return 0 }
            let bytes = Unmanaged<Memory>.fromOpaque(context).takeUnretainedValue().bytes
            return bytes.withUnsafeBytes { bytes in
              guard address >= 0x10000, address - 0x10000 < UInt64(bytes.count) else { return 0 }
              let part = UnsafeRawBufferPointer(rebasing: bytes[Int(address - 0x10000)...].prefix(size))
              if let source = part.baseAddress { target.copyMemory(from: source, byteCount: part.count) }
              return part.count
            }
          }, context: Unmanaged.passUnretained(self).toOpaque())
      }
    }

    /// The addresses of the frames of a thread at an address, and which of them a signal interrupted.
    private static func frames(_ memory: Memory, at address: UInt64, stack: UInt64) -> [(UInt64, Bool)] {
      guard StackReader.isReady else { return [] }
      let images = ImageList(capacity: 4, pathCapacity: 64)
      var image = mp_image()
      (image.base, image.end, image.text_start, image.text_end) = (0x10000, 0x11000, 0x10000, 0x11000)
      _ = images.append(image, path: "/c")
      var registers = mp_registers()
      withUnsafeMutableBytes(of: &registers.values) {
        $0.storeBytes(of: stack, toByteOffset: Int(MP_REGISTER_SP) * 8, as: UInt64.self)
        $0.storeBytes(of: address, toByteOffset: Int(MP_REGISTER_PC) * 8, as: UInt64.self)
      }
      let room = UnsafeMutableBufferPointer<mp_frame>.allocate(capacity: 16)
      defer { room.deallocate() }
      let found = StackReader(memory: memory, images: images).unwind(&registers, into: room)
      return room[..<found.count].map { ($0.pc, $0.kind == MP_FRAME_INTERRUPTED) }
    }

    @Test("have the interrupted code behind them, and its caller", arguments: [0, 7, 9] as [UInt64])
    func wayBack(offset: UInt64) {
      let memory = Memory()
      memory.put([0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05], at: 0x10100)
      // The interrupted function begins with push %rbp; its caller's call ends before 0x10305.
      memory.put([0x55], at: 0x10200)
      memory.put([0xe8, 0, 0, 0, 0], at: 0x10300)
      memory.put(0x20800, at: 0x20000 + 40 + 15 * 8)
      memory.put(0x10200, at: 0x20000 + 40 + 16 * 8)
      memory.put(0x10305, at: 0x20800)
      let frames = Self.frames(memory, at: 0x10100 + offset, stack: 0x20000)
      #expect(frames.map(\.0) == [0x10100 + offset, 0x10200, 0x10305])
      #expect(frames.map(\.1) == [false, true, false])
    }

    @Test("at the first two or the last instruction of a function without a description have its caller")
    func entries() {
      let memory = Memory()
      memory.put([0xf3, 0x0f, 0x1e, 0xfa, 0x55, 0x48, 0x89, 0xe5], at: 0x10200)
      memory.put([0xc3], at: 0x10240)
      memory.put([0xff, 0xd0], at: 0x10303)
      for (address, place) in [(0x10200, 0x20100), (0x10204, 0x20100), (0x10205, 0x20108), (0x10240, 0x20100)] {
        memory.put(0, at: 0x20100)
        memory.put(0x10305, at: place)
        let frames = Self.frames(memory, at: UInt64(address), stack: 0x20100)
        #expect(frames.map(\.0) == [UInt64(address), 0x10305], "\(address)")
      }
    }
  }
#endif
