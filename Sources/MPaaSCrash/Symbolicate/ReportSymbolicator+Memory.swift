import MPaaSCrashReport
import Synchronization

extension ReportSymbolicator {
  /// A symbolicator that opens the symbols of an image once for all reports that have it.
  ///
  /// It keeps at most 64 images open; what is not used makes place.
  package func remembering() -> ReportSymbolicator {
    let memory = ImageMemory()
    let open = open
    return ReportSymbolicator(open: { image in memory.symbols(of: image, open) }, demangle: demangle)
  }
}

private final class ImageMemory: Sendable {
  private struct Key: Hashable {
    let buildID: String
    let path: String
    let architecture: String
    /// The moved base of the image, which the number added to an address depends on.
    let movedBase: UInt64
  }

  private struct State {
    var known: [Key: (symbols: ImageSymbols, used: UInt64)] = [:]
    var clock: UInt64 = 0
  }

  private static let most = 64
  private let state = Mutex(State())

  func symbols(of image: CrashReport.Image, _ open: (CrashReport.Image) -> ImageSymbols) -> ImageSymbols {
    let key = Key(
      buildID: image.buildID, path: image.path, architecture: image.architecture,
      movedBase: image.slide &- image.base)
    let found = state.withLock { state -> ImageSymbols? in
      state.clock += 1
      guard let known = state.known[key] else { return nil }
      state.known[key]?.used = state.clock
      return known.symbols
    }
    if let found { return found }
    let symbols = open(image)
    state.withLock { state in
      if state.known.count >= Self.most, let oldest = state.known.min(by: { $0.value.used < $1.value.used }) {
        state.known[oldest.key] = nil
      }
      state.known[key] = (symbols, state.clock)
    }
    return symbols
  }
}
