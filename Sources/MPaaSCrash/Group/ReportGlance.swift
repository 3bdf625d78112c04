package import MPaaSCrashReport

/// A report of which only what grouping and lists need was read, in a fraction of the time.
///
/// Its fingerprint's group is that of the whole report.
package enum ReportGlance {
  /// The report with the stack that tells why and the images it is in; nil where the bytes are of a format, or laid out
  /// in a way, that is to be read whole by `ReportFile`.
  package static func read(_ bytes: UnsafeRawBufferPointer) -> CrashReport? {
    guard let first = bytes.first(where: { $0 > 0x20 }), first == UInt8(ascii: "{") else { return nil }
    switch ReportFile.format(of: bytes)?.name {
    case "sentry": return SentryGlance.read(bytes)
    case "ips": return IPSGlance.read(bytes)
    default: return nil
    }
  }

  /// The same of bytes that are known to be a Sentry event; nil too where they are not JSON from their front to their end.
  package static func readSentryEvent(_ bytes: UnsafeRawBufferPointer) -> CrashReport? {
    SentryGlance.read(bytes, isStrict: true)
  }
}

extension ReportFile {
  /// Reads bytes that are known to be a Sentry event, also one that says too little to be known by its content.
  package static func readSentryEvent(_ bytes: UnsafeRawBufferPointer) throws(ReportError) -> CrashReport {
    try SentryEvent.read(bytes)
  }
}
