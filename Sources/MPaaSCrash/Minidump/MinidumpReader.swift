package import MPaaSCrashReport
import MPaaSSupport

/// Reads minidumps, as Breakpad, Crashpad and Windows write them, and walks their stacks.
///
/// Everything that `CrashReport` has no place for is in `extra["minidump"]` of the report, thread, frame and image,
/// under the names of Breakpad's headers; of memory only the ranges are told. A dump that was cut short gives what is
/// there, marked as partial.
package enum MinidumpReader {
  package static func recognises(_ bytes: UnsafeRawBufferPointer) -> Bool {
    MinidumpFile.recognises(bytes) || Microdump.recognises(bytes)
  }

  /// Reads a dump, or a microdump out of a log.
  ///
  /// - Parameter unwind: What is known of an image; without it stacks are walked by frame pointers and by scanning.
  package static func read(
    _ bytes: UnsafeRawBufferPointer, unwind: (CrashReport.Image) -> UnwindFile? = { _ in nil }
  ) throws(MinidumpError) -> CrashReport {
    if !MinidumpFile.recognises(bytes), Microdump.recognises(bytes) { return try Microdump.read(bytes, unwind: unwind) }
    let file = try MinidumpFile(bytes)
    var reader = MinidumpReport(file)
    guard file.stream(3) != nil || file.stream(4) != nil else { throw MinidumpError(.noContents, offset: 12) }
    reader.readFacts()
    reader.readImages()
    reader.readThreads()
    reader.readException()
    reader.readRest()
    reader.walk(unwind)
    return reader.finished()
  }
}
