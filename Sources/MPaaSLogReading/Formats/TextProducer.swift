import MPaaSLogs

/// Gives text piece by piece: what is decompressed or decrypted as it is read.
protocol TextProducer {
  /// More text; nil at the end.
  mutating func next() throws(LogError) -> [UInt8]?
}
