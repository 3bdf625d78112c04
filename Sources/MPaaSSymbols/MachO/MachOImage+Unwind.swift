import MPaaSSupport

extension MachOImage {
  /// The file's unwind information: `__unwind_info` with `__eh_frame`, and for what they leave out `__debug_frame`.
  package var unwindSource: (any UnwindSource)? {
    let frames = section("__TEXT", "__eh_frame").map { callFrames($0.bytes, .ehFrame, address: $0.address) }
    let debugFrames = dwarfSections.section("debug_frame").map { callFrames($0, .debugFrame, address: 0) }
    return UnwindSources([compactUnwind(frames), frames, debugFrames])
  }

  /// The functions that `__eh_frame` and `__unwind_info` tell of, rising, without what both tell.
  var unwoundFunctions: [Range<UInt64>] {
    let frames = section("__TEXT", "__eh_frame").map { callFrames($0.bytes, .ehFrame, address: $0.address) }
    let all = (frames?.entries.map(\.addresses) ?? []) + (compactUnwind(frames)?.functions ?? [])
    var functions: [Range<UInt64>] = []
    for range in all.sorted(by: { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }) {
      // The compact table counts a function up to the next; of two ends the first is the function's.
      guard !range.isEmpty, range.lowerBound >= functions.last?.upperBound ?? 0 else { continue }
      functions.append(range)
    }
    return functions
  }

  private func compactUnwind(_ frames: CallFrameTable?) -> CompactUnwind? {
    guard let architecture = UnwindArchitecture.named(architecture, isApple: true),
      let info = section("__TEXT", "__unwind_info")
    else { return nil }
    let code = section("__TEXT", "__text")
    return CompactUnwind(
      info.bytes, architecture: architecture, textAddress: loadAddress, exceptionFrames: frames
    ) { address in
      guard let code, address >= code.address, let part = code.bytes.slice(at: address - code.address, size: 4)
      else { return nil }
      return withExtendedLifetime(part) { UInt32(littleEndian: part.buffer.loadUnaligned(as: UInt32.self)) }
    }
  }

  private func callFrames(_ bytes: Bytes, _ kind: CallFrameTable.Kind, address: UInt64) -> CallFrameTable {
    CallFrameTable(
      CallFrameTable.Section(
        bytes, kind: kind, address: address, addressSize: header.addressSize, isBigEndian: header.bigEndian,
        textAddress: section("__TEXT", "__text")?.address ?? 0))
  }
}
