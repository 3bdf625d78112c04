/// The damage that was found when a key-value file was opened or verified.
public struct KeyValueReport: Sendable, Equatable {
  /// Records that are whole, those that newer ones replaced among them.
  public package(set) var records = 0
  /// Keys that have a value.
  public package(set) var keys = 0
  /// Damaged places between whole records, and how many bytes they have; whole records around them were kept.
  public package(set) var damages = 0
  /// Bytes of the damaged places.
  public package(set) var damagedBytes: UInt64 = 0
  /// Bytes behind the last whole record: of a record that its writer could not finish.
  public package(set) var tornBytes: UInt64 = 0
  /// True where no copy of the header was whole, and it was put together from them.
  public package(set) var isHeaderRepaired = false

  /// True where all that was read is as it was written.
  public var isWhole: Bool { damages == 0 && !isHeaderRepaired }
}
