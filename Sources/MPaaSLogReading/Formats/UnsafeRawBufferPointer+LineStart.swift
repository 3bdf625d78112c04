import CLogScan
import MPaaSLogs

extension UnsafeRawBufferPointer {
  /// The beginning of the line that `place` lies in.
  @inline(__always)
  func lineStart(_ place: Int, notBefore least: Int) -> Int {
    guard place > least, let base = baseAddress?.assumingMemoryBound(to: CChar.self),
      let found = mp_log_find_last(base + least, place - least, 0x0a)
    else { return least }
    return found - base + 1
  }
}
