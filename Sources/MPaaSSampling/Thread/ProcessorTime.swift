import CPerfEvents

/// The time that processes were on processors, in nanoseconds.
enum ProcessorTime {
  static var own: UInt64 { mp_own_time() }

  static var children: UInt64 { mp_children_time() }
}
