import MPaaSLogs

extension StagedRecord {
  /// The record as a decoded block has it.
  func view(label: UInt32) -> LogRecordView {
    LogRecordView(
      sequence: sequence, time: time, monotonic: monotonic, thread: thread,
      start: UInt32(truncatingIfNeeded: subsystem.upperBound), messageSize: messageSize, fieldsSize: fieldsSize,
      label: label, levelNumber: level & 15, flagBits: flags.rawValue)
  }
}
