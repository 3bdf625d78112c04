import MPaaSSupport
import Synchronization

/// Look-ups in an index, which answer as the debug information would that it was made of.
///
/// The debug information itself is asked from the moment on at which the file turns out to be damaged.
package final class IndexedLookup: FrameLookup {
  package let file: IndexFile
  private let reserve: Mutex<(any FrameLookup)?> = Mutex(nil)
  private let open: @Sendable () -> (any FrameLookup)?

  /// - Parameter reserve: Gives look-ups without the index, called once where it is damaged.
  package init(_ file: IndexFile, reserve open: @escaping @Sendable () -> (any FrameLookup)?) {
    self.file = file
    self.open = open
  }

  package var hasDebugInfo: Bool { file.hasDebugInfo }

  package func frames(at address: UInt64) -> [SourceFrame] {
    var frames: [SourceFrame] = []
    let isIntact = file.forEachFrame(at: address) { frames.append(SourceFrame($0, file)) }
    if isIntact { return frames }
    return isLost ? [] : direct.frames(at: address)
  }

  /// True if the index is damaged and its source is no longer there: nothing can be answered truthfully.
  package var isLost: Bool { file.hasDebugInfo && !direct.hasDebugInfo }

  /// Look-ups without the index.
  package var direct: any FrameLookup {
    reserve.withLock { reserve in
      if let reserve { return reserve }
      let made = open() ?? AddressLookup(nil)
      reserve = made
      return made
    }
  }
}

extension SourceFrame {
  fileprivate init(_ frame: IndexedFrame, _ file: IndexFile) {
    self.init(
      symbol: file.text(frame.name).map { String(utf8: $0) }, offset: frame.offset,
      file: file.text(frame.file).map { String(utf8: $0) }, line: frame.line > 0 ? Int(frame.line) : nil,
      column: frame.column > 0 ? Int(frame.column) : nil, isInlined: frame.isInlined)
    discriminator = frame.discriminator > 0 ? Int(frame.discriminator) : nil
  }
}
