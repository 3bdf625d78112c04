public import MPaaSAge

/// The records that a writer keeps, the readers it encrypts for, and the greatest size of its files.
public struct LogWriterOptions: Sendable {
  /// The readers whose keys open the files; without any, the files are not encrypted.
  public var recipients: [AgeRecipient] = []
  /// Bytes of a file; what follows in the same hour goes into another one.
  public var largestFile = 16 << 20
  /// Bytes of all files of the folder.
  public var largestTotal = 64 << 20
  /// Seconds that a file is kept after its last record.
  public var longestAge: Int64 = 7 * 86_400
  /// Bytes of the area that records of a type are staged in: at least 128 KiB, at most 64 MiB.
  public var stagingSize = 1 << 20
  /// The effort of zstd: 1 to 19.
  public var compressionLevel: Int32 = 1
  /// Tells whether the server has all records of a file, by its path: such files go first when room is needed.
  public var isAcknowledged: (@Sendable (String) -> Bool)?
  /// The clocks that records have their times from; those of the device unless set.
  public var clock = LogClock.live
  /// The way of bytes to the disk.
  var disk = LogDisk.live

  /// Makes options for the recipients that the records are encrypted for, with the other defaults; without recipients
  /// nothing is encrypted.
  public init(recipients: [AgeRecipient] = []) {
    self.recipients = recipients
  }
}
