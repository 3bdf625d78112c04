import MPaaSSupport

extension ELFImage {
  /// The file's unwind information: `.eh_frame`, and for what that leaves out `.debug_frame`.
  package var unwindSource: (any UnwindSource)? {
    UnwindSources([
      callFrames(".eh_frame", .ehFrame),
      callFrames(".debug_frame", .debugFrame) ?? callFrames(".zdebug_frame", .debugFrame),
    ])
  }

  /// The table of one section; nil where the file has not its bytes.
  package func callFrames(_ name: String, _ kind: CallFrameTable.Kind) -> CallFrameTable? {
    guard let section = section(named: name), let bytes = contents(named: name), !bytes.isEmpty else { return nil }
    let text = self.section(named: ".text")?.address ?? 0
    let data = self.section(named: ".got")?.address ?? 0
    return CallFrameTable(
      CallFrameTable.Section(
        bytes, kind: kind, address: section.address, addressSize: header.addressSize,
        isBigEndian: header.bigEndian, textAddress: text, dataAddress: data))
  }
}
