internal import CLua
public import MPaaSTime

/// The limits of one call into a patch, by which it is stopped and the original takes its place.
public struct PatchLimits: Sendable, Equatable {
  /// Instructions of Lua; work inside library functions, such as the steps of a pattern, counts too.
  public var instructions: Int
  /// Time in Lua; time in the app's own functions does not count.
  public var time: TimeSpan
  /// Bytes that everything of the patch together may occupy.
  public var memory: Int
  /// Bytes of a single string.
  public var stringSize: Int
  /// Instructions between two looks at the limits; nil for the default of 256.
  ///
  /// A step of 1 counts exactly, and slowly.
  package var step: Int?

  /// - Parameters:
  ///   - instructions: About 20 ms where they are plain ones.
  ///   - time: It is looked at every 256 instructions.
  ///   - memory: In bytes.
  ///   - stringSize: In bytes.
  public init(
    instructions: Int = 2_000_000, time: TimeSpan = .milliseconds(80), memory: Int = 16 << 20,
    stringSize: Int = 1 << 20
  ) {
    self.instructions = instructions
    self.time = time
    self.memory = memory
    self.stringSize = stringSize
  }

  var values: mp_lua_limits {
    let (seconds, attoseconds) = time.components
    let (whole, isTooLong) = UInt64(max(0, seconds)).multipliedReportingOverflow(by: 1_000_000_000)
    let nanoseconds =
      isTooLong ? UInt64.max >> 1 : min(whole, UInt64.max >> 1) + UInt64(max(0, attoseconds) / 1_000_000_000)
    return mp_lua_limits(
      instructions: UInt64(max(1, instructions)), nanoseconds: min(nanoseconds, UInt64.max >> 2),
      memory: UInt64(max(0, memory)), string: UInt64(max(64, stringSize)), step: Int32(clamping: step ?? 0))
  }
}
