import MPaaSCrashReport
import MPaaSSymbols

/// The address at which the code of a frame is looked up, by its processor and by how the address came to be there.
package enum CodeAddress {
  /// The address of the instruction that a frame is at.
  ///
  /// Thumb's mark (bit 0 of an address of 32-bit ARM) is cleared. A return address points behind the call, so that it is
  /// taken back by the shortest call that the processor has there.
  ///
  /// - Parameters:
  ///   - address: As it stands in the frame.
  ///   - isReturn: Whether it is a return address; false for a program counter, code that a signal interrupted, a signal
  ///     trampoline, and the start of a function that resumes an async caller.
  ///   - architecture: The image's, as reports have it: `x86_64`, `arm64e`, `armv7`, ….
  /// - Source: Arm Architecture Reference Manual, A2.3.2 (interworking); MIPS32, volume I, "Branch Delays".
  package static func lookup(_ address: UInt64, isReturn: Bool, architecture: String) -> UInt64 {
    if architecture.hasPrefix("arm"), !architecture.hasPrefix("arm64") {
      let isThumb = address & 1 == 1
      let code = address & ~1
      return isReturn ? back(code, by: isThumb ? 2 : 4) : code
    }
    guard isReturn else { return address }
    if architecture.hasPrefix("mips") { return back(address, by: 8) }
    let hasWords = architecture.hasPrefix("arm64") || architecture == "aarch64" || architecture.hasPrefix("ppc")
    return back(address, by: hasWords ? 4 : 1)
  }

  private static func back(_ address: UInt64, by bytes: UInt64) -> UInt64 {
    address >= bytes ? address - bytes : address
  }
}

extension CrashReport {
  /// The address to look up for a frame of a stack, as `self[stack:]` counts both.
  ///
  /// A signature of pointer authentication is taken off where the address lies outside of its image with it.
  package func lookupAddress(ofFrame index: Int, inStack stack: Int) -> UInt64 {
    let frames = self[stack: stack]
    let image = frames[index].image.flatMap { images.indices.contains($0) ? images[$0] : nil }
    let architecture = (image ?? mainImage ?? images.first)?.architecture ?? Self.thisArchitecture
    let isReturn = isReturnAddress(index, of: frames, isThread: stack < threads.count)
    let address = CodeAddress.lookup(frames[index].address, isReturn: isReturn, architecture: architecture)
    guard let image, !image.contains(address) else { return address }
    let plain = address.withoutPointerAuthentication(architecture: image.architecture)
    return image.contains(plain) ? plain : address
  }

  private func isReturnAddress(_ index: Int, of frames: [Frame], isThread: Bool) -> Bool {
    switch frames[index].kind {
    case .returned: true
    case .physical: !(index == 0 && isThread) && !Self.isSignalTrampoline(index, of: frames)
    case .interrupted, .asynchronous: false
    }
  }
}
